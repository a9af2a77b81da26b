#include "toolwire/server.hpp"

struct Search {
  std::tuple<int, std::optional<int>> query;
  static constexpr auto describe() { return toolwire::fields(toolwire::field<&Search::query>("What to look for")); }
};
auto refused() { return toolwire::schema_of<Search>(); }
