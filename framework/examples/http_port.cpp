// A server on a port of this machine, over HTTP: its address is the first line that it prints. SIGTERM ends it.
#include <cstdio>
#include <toolwire/http/listen.hpp>
#include <toolwire/server.hpp>

using namespace toolwire;

int main() {
  Server server({.name = "adder", .version = "1.0.0"});
  server.tool("add", "Add two numbers", args("a", "b"), [](double a, double b) { return a + b; });
  std::printf("http://127.0.0.1:%d/mcp\n", http::listen(server, {}));
  std::fflush(stdout);
  return server.run();
}
