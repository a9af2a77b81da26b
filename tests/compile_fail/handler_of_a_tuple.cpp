#include "toolwire/server.hpp"

void refused(toolwire::Server& server) {
  server.tool("search", "Searches", [](std::tuple<int, int>) {});
}
