#include <future>

#include "toolwire/async.hpp"
#include "toolwire/server.hpp"

void refused(toolwire::Server& server) {
  server.tool("count", "Counts", []() -> toolwire::Async<int> { co_return co_await std::async([] { return 1; }); });
}
