// A tool that takes longer than a client likes to wait: where the client can follow a task, the call becomes one.
#include <string>
#include <toolwire/server.hpp>

using namespace toolwire;

std::string bake(int loaves, Context& context) {
  for (int loaf = 1; loaf <= loaves; ++loaf) {
    if (context.stop_requested()) throw ToolError("The oven was switched off");
    context.progress(loaf, loaves, "loaf " + std::to_string(loaf));  // the status of the task, too
  }
  return std::to_string(loaves) + " loaves";
}

int main(int argc, char** argv) {
  Server server({.name = "bakery", .version = "1.0.0"});
  server.tool({.name = "bake", .description = "Bake bread", .long_running = true}, args("loaves"), bake);
  return server.run_stdio(argc, argv);
}
