#include "toolwire/async.hpp"
#include "toolwire/server.hpp"

void refused(toolwire::Server& server) {
  server.tool("count", "Counts", [](toolwire::Reply) -> toolwire::Async<int> { co_return 1; });
}
