#include "toolwire/async.hpp"
#include "toolwire/server.hpp"

struct Found {
  int count = 0;
};
void refused(toolwire::Server& server) {
  server.tool("count", "Counts", []() -> toolwire::Async<Found> { co_return Found(); });
}
