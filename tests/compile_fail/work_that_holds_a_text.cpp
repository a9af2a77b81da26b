#include <string>

#include "toolwire/async.hpp"
#include "toolwire/server.hpp"

void refused(toolwire::Server& server) {
  server.tool("text", "Tells", toolwire::args("text"), [](std::string text) -> toolwire::Async<std::string> {
    co_return co_await toolwire::post([text] { return text; });
  });
}
