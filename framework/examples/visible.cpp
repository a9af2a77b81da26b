// Tools that are not there for everybody: these come once their client has logged in, and the client is told.
#include <atomic>
#include <string>
#include <toolwire/server.hpp>

using namespace toolwire;

// Of one connection. Tools run side by side, hence the atomic.
struct Login {
  std::atomic<bool> done{false};
};

bool logged_in(Context& context) { return context.session().slot<Login>()->done; }

std::string log_in(const std::string& password, Context& context) {
  if (password != "swordfish") throw ToolError("This is not the password");
  context.session().slot<Login>()->done = true;
  context.session().visibility_changed();
  return "There is more to see now";
}

int main(int argc, char** argv) {
  Server server({.name = "safe", .version = "1.0.0"});
  server.tool("log_in", "Log in, for the other tools", args("password"), log_in);
  server.tool({.name = "open_safe", .description = "Open the safe", .visible = logged_in}, [] { return "a ruby"; });
  server.resource({.uri = "safe://list", .name = "What is in it", .visible = logged_in}, [] { return "one ruby"; });
  return server.run_stdio(argc, argv);
}
