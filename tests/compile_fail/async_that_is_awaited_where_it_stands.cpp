#include "toolwire/async.hpp"
#include "toolwire/server.hpp"

toolwire::Async<int> count() { co_return 1; }

void refused(toolwire::Server& server) {
  server.tool("count", "Counts", []() -> toolwire::Async<int> {
    auto counted = count();
    co_return co_await counted;
  });
}
