#include "tools.hpp"

int main(int argc, char** argv) {
  toolwire::Server server{{.name = "{{NAME}}", .version = "0.1.0"}};
  add_tools(server);
  return server.run_stdio(argc, argv);
}
