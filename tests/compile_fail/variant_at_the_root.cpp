#include "toolwire/convert.hpp"

struct Circle {
  double radius;
  static constexpr auto describe() { return toolwire::fields(toolwire::field<&Circle::radius>("Radius")); }
};
void refused() { toolwire::schema_of<std::variant<Circle>>(); }
