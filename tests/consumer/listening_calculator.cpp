// The smallest server of HTTP, which also serves its standard input and output.
#include <toolwire/http/listen.hpp>

int main() {
  toolwire::Server server{{.name = "calculator", .version = "1.0.0"}};
  server.tool("add", "Add two numbers", toolwire::args("a", "b"), [](double a, double b) { return a + b; });
  toolwire::http::listen(server, {});
  return server.run_stdio();
}
