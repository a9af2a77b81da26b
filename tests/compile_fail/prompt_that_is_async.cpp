#include <string>

#include "toolwire/async.hpp"
#include "toolwire/server.hpp"

void refused(toolwire::Server& server) {
  server.prompt("greet", "Greets", []() -> toolwire::Async<std::string> { co_return "Hello"; });
}
