#include "toolwire/server.hpp"

struct Search {
  std::string query;
  static constexpr auto describe() { return toolwire::fields(toolwire::field<&Search::query>("Words to look for")); }
};
void refused(toolwire::Server& server) {
  server.resource({.uri = "notes://all"}, [](const Search& search) { return search.query; });
}
