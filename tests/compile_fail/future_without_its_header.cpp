#include <future>

#include "toolwire/server.hpp"

void refused(toolwire::Server& server) {
  server.tool("count", "Counts", [] { return std::async([] { return 1; }); });
}
