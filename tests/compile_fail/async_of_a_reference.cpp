#include <string>

#include "toolwire/async.hpp"
#include "toolwire/server.hpp"

std::string text;
void refused(toolwire::Server& server) {
  server.tool("text", "Tells", []() -> toolwire::Async<std::string&> { co_return text; });
}
