#include "toolwire/server.hpp"

struct Search {
  explicit Search(int size) : limit(size) {}
  int limit;
  static constexpr auto describe() { return toolwire::fields(toolwire::field<&Search::limit>("How many")); }
};
void refused(toolwire::Server& server) {
  server.tool("search", "Searches", [](const Search& search) { return search.limit; });
}
