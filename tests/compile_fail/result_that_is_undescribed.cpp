#include "toolwire/server.hpp"

struct Found {
  std::string title;
};
void refused(toolwire::Server& server) {
  server.tool("search", "Searches", []() { return Found{}; });
}
