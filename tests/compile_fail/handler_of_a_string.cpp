#include "toolwire/server.hpp"

void refused(toolwire::Server& server) {
  server.tool("echo", "Repeats", [](const std::string& text) { return text; });
}
