#include <cstdint>

#include "toolwire/describe.hpp"

struct Search {
  std::uint8_t limit;
  static constexpr auto describe() { return toolwire::fields(toolwire::field<&Search::limit>("Hits").at_most(256)); }
};
constexpr auto described = Search::describe();
