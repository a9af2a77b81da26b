#include "toolwire/convert.hpp"

struct Point {
  int x, y;
};
struct Line {
  Point from;
  static constexpr auto describe() { return toolwire::fields(toolwire::field<&Line::from>("Start")); }
};
void refused(const Line& line) { toolwire::encode(line); }
