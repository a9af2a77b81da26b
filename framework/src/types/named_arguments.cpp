#include "toolwire/detail/named_arguments.hpp"

#include <cmath>
#include <stdexcept>

#include "types/number.hpp"
#include "types/phrases.hpp"

namespace toolwire::detail {
namespace {

[[noreturn]] void refuse(std::string_view tool, const std::string& why) {
  throw std::invalid_argument("tool \"" + std::string(tool) + "\": " + why);
}

bool is_value_of(const NumberShape& shape, long double bound) {
  return bound >= shape.lowest && bound <= shape.highest && (shape.kind == Kind::real || bound == std::trunc(bound));
}

bool has_bounds(const NumberShape& shape, const FieldInfo& limits) {
  return (!types::has_minimum(limits) || is_value_of(shape, limits.minimum)) &&
         (!types::has_maximum(limits) || is_value_of(shape, limits.maximum));
}

}  // namespace

void check_arguments(const ObjectShape& arguments, std::string_view tool) {
  for (const FieldShape& field : arguments) {
    if (field.name.empty()) refuse(tool, "a parameter has no name");
    const Shape* shape = field.shape;
    if (shape->kind == Kind::optional) shape = static_cast<const OptionalShape*>(shape)->content;
    if (shape->kind != Kind::integer && shape->kind != Kind::real) continue;
    if (!has_bounds(static_cast<const NumberShape&>(*shape), field)) {
      refuse(tool, "the parameter \"" + std::string(field.name) + "\" is " + types::phrase(*shape) +
                       " of a type that has no bounds \"" + types::range_phrase(field) + "\"");
    }
  }
}

}  // namespace toolwire::detail
