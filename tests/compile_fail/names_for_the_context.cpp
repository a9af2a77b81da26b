#include "toolwire/server.hpp"

void refused(toolwire::Server& server) {
  server.tool("add", "Adds", toolwire::args("a", "context"), [](int a, toolwire::Context&) { return a; });
}
