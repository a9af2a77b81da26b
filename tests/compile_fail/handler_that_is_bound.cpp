#include <functional>

#include "toolwire/server.hpp"

struct Search {
  std::string query;
  static constexpr auto describe() { return toolwire::fields(toolwire::field<&Search::query>("Words to look for")); }
};
struct Library {
  std::string find(const Search& search) const { return search.query; }
};
void refused(toolwire::Server& server, const Library& library) {
  server.tool("search", "Searches", std::bind(&Library::find, &library, std::placeholders::_1));
}
