#include <toolwire/server.hpp>

struct Add {
  double a, b;
  static constexpr auto describe() {
    return toolwire::fields(toolwire::field<&Add::a>("First number"), toolwire::field<&Add::b>("Second number"));
  }
};

int main(int argc, char** argv) {
  toolwire::Server server{{.name = "calculator", .version = "1.0.0"}};
  server.tool("add", "Add two numbers", [](Add n) { return n.a + n.b; });
  return server.run_stdio(argc, argv);
}
