#include "toolwire/server.hpp"

void refused(toolwire::Server& server) {
  server.tool("echo", "Repeats", toolwire::args(toolwire::arg("text").between(1, 5)),
              [](const std::string& text) { return text; });
}
