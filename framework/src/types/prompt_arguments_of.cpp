#include "toolwire/detail/prompt_arguments_of.hpp"

#include <string>
#include <utility>
#include <vector>

namespace toolwire::detail {
namespace {

Completer choices_of(const Shape& shape) {
  if (shape.kind == Kind::optional) return choices_of(*static_cast<const OptionalShape&>(shape).content);
  if (shape.kind == Kind::coded) return choices_of(as_written(shape));
  if (shape.kind == Kind::boolean) return complete_from({"true", "false"});
  if (shape.kind != Kind::enumeration) return {};
  const auto& enumeration = static_cast<const EnumerationShape&>(shape);
  std::vector<std::string> names;
  for (std::size_t i = 0; i < enumeration.count; ++i) names.emplace_back(enumeration.text(i).name);
  return complete_from(std::move(names));
}

}  // namespace

void add_completers_of(const ObjectShape& shape, Completers& completers) {
  for (const FieldShape& field : shape) completers.try_emplace(std::string(field.name), choices_of(*field.shape));
}

}  // namespace toolwire::detail
