#include "toolwire/server.hpp"

struct Point {
  int x = 0;
  static constexpr auto describe() { return toolwire::fields(toolwire::field<&Point::x>("Right")); }
};
struct Search {
  std::variant<std::map<std::string, int>, Point> query;
  static constexpr auto describe() { return toolwire::fields(toolwire::field<&Search::query>("What to look for")); }
};
auto refused() { return toolwire::schema_of<Search>(); }
