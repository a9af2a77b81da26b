#include "toolwire/server.hpp"

void refused(toolwire::Server& server) {
  server.tool("add", "Adds", toolwire::args("a", "a"), [](int a, int b) { return a + b; });
}
