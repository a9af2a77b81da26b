#include "toolwire/describe.hpp"

struct Search {
  int limit;
  static constexpr auto describe() { return toolwire::fields(toolwire::field<&Search::limit>("Hits").between(9, 1)); }
};
constexpr auto described = Search::describe();
