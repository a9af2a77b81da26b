#include "toolwire/convert.hpp"

struct Line {
  const int* from;
  static constexpr auto describe() { return toolwire::fields(toolwire::field<&Line::from>("Start")); }
};
void refused() { toolwire::schema_of<Line>(); }
