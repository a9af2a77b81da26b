#include "toolwire/server.hpp"

struct Search {
  std::string query;
  constexpr auto describe() const { return toolwire::fields(toolwire::field<&Search::query>("Words to look for")); }
};
void refused(toolwire::Server& server) {
  server.tool("search", "Searches", [](const Search& search) { return search.query; });
}
