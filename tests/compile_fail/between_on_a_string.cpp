#include "toolwire/describe.hpp"

struct Search {
  std::string query;
  static constexpr auto describe() { return toolwire::fields(toolwire::field<&Search::query>("Text").between(1, 9)); }
};
constexpr auto described = Search::describe();
