#include "toolwire/server.hpp"

struct Other {
  int size;
};
struct Search {
  std::string query;
  static constexpr auto describe() { return toolwire::fields(toolwire::field<&Other::size>("How many")); }
};
void refused(toolwire::Server& server) {
  server.tool("search", "Searches", [](const Search& search) { return search.query; });
}
