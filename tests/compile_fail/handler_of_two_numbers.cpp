#include "toolwire/server.hpp"

void refused(toolwire::Server& server) {
  server.tool("add", "Adds", [](int a, int b) { return a + b; });
}
