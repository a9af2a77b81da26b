#include <set>

#include "toolwire/server.hpp"

void refused(toolwire::Server& server) {
  server.tool("sum", "Adds", [](const std::set<int>& numbers) { return numbers.size(); });
}
