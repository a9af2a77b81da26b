#include "toolwire/completion.hpp"

#include <algorithm>
#include <stdexcept>

namespace toolwire {
namespace {

char lower(char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c; }

bool begins_with(std::string_view text, std::string_view typed) {
  return text.size() >= typed.size() &&
         std::equal(typed.begin(), typed.end(), text.begin(), [](char a, char b) { return lower(a) == lower(b); });
}

Completer choices_of(const detail::Shape& shape) {
  using namespace detail;
  if (shape.kind == Kind::optional) return choices_of(*static_cast<const OptionalShape&>(shape).content);
  if (shape.kind == Kind::boolean) return complete_from({"true", "false"});
  if (shape.kind != Kind::enumeration) return {};
  const auto& enumeration = static_cast<const EnumerationShape&>(shape);
  std::vector<std::string> names;
  for (std::size_t i = 0; i < enumeration.count; ++i) names.emplace_back(enumeration.name(i));
  return complete_from(std::move(names));
}

}  // namespace

Completer complete_from(std::vector<std::string> choices) {
  return [choices = std::move(choices)](std::string_view typed, const CompletionContext&) {
    Completion completion;
    std::copy_if(choices.begin(), choices.end(), std::back_inserter(completion.values),
                 [&](const std::string& choice) { return begins_with(choice, typed); });
    return completion;
  };
}

namespace detail {

void add_completers_of(const ObjectShape& shape, Completers& completers) {
  for (const auto& suggested : completers) {
    const std::string& name = suggested.first;
    const bool is_member =
        std::any_of(shape.begin(), shape.end(), [&](const FieldShape& field) { return field.name == name; });
    if (!is_member) throw std::invalid_argument("\"" + name + "\" has suggestions but is not an argument");
  }
  for (const FieldShape& field : shape) completers.try_emplace(std::string(field.name), choices_of(*field.shape));
}

}  // namespace detail
}  // namespace toolwire
