#include "toolwire/server.hpp"

enum class Order { up, down };
struct Search {
  std::variant<Order, std::string> query;
  static constexpr auto describe() { return toolwire::fields(toolwire::field<&Search::query>("What to look for")); }
};
auto refused() { return toolwire::schema_of<Search>(); }
