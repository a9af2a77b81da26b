#include <cstddef>

#include "toolwire/convert.hpp"

struct Line {
  std::byte first;
  static constexpr auto describe() { return toolwire::fields(toolwire::field<&Line::first>("Start")); }
};
void refused() { toolwire::schema_of<Line>(); }
