#include <future>

#include "toolwire/async.hpp"
#include "toolwire/server.hpp"

void refused(toolwire::Server& server) {
  server.tool("wait", "Waits", []() -> toolwire::Async<std::future<int>> { co_return std::future<int>(); });
}
