#include "toolwire/server.hpp"

void refused(toolwire::Server& server) {
  server.tool("twice", "Doubles", [](int a) { return 2 * a; });
}
