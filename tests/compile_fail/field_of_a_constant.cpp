#include "toolwire/server.hpp"

struct Search {
  const std::string query;
  static constexpr auto describe() { return toolwire::fields(toolwire::field<&Search::query>("What to look for")); }
};
void refused(toolwire::Server& server) {
  server.tool("search", "Searches", [](const Search& search) { return search.query; });
}
