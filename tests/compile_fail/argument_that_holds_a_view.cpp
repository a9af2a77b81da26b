#include "toolwire/server.hpp"

void refused(toolwire::Server& server) {
  server.tool("echo", "Repeats", toolwire::args("texts"), [](const std::vector<std::string_view>&) {});
}
