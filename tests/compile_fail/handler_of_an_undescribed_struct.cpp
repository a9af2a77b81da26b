#include "toolwire/server.hpp"

struct Search {
  std::string query;
};
void refused(toolwire::Server& server) {
  server.tool("search", "Searches", [](const Search& search) { return search.query; });
}
