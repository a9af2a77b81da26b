#include "toolwire/server.hpp"

void refused(toolwire::Server& server) {
  server.tool("search", "Searches", toolwire::args(toolwire::arg("limit").pattern("^a")), [](int) {});
}
