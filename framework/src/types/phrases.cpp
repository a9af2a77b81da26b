#include "types/phrases.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <cstdint>
#include <vector>

#include "types/number.hpp"
#include "types/text_form.hpp"

namespace toolwire::types {
namespace {

using detail::EnumerationShape;
using detail::Kind;
using detail::ListShape;
using detail::OptionalShape;
using detail::VariantShape;

constexpr std::size_t max_names = 40;

template <class Number>
std::string shortest_text(Number value) {
  std::array<char, 40> text{};
  const auto end = std::to_chars(text.data(), text.data() + text.size(), value).ptr;
  return {text.data(), end};
}

std::string enumeration_phrase(const EnumerationShape& shape) {
  std::string out = "one of ";
  for (std::size_t i = 0; i < shape.count && i < max_names; ++i) {
    out += i == 0 ? "\"" : ", \"";
    out += shape.text(i).name;
    out += '"';
  }
  return shape.count > max_names ? out + ", …" : out;
}

/// "a boolean, an integer or a string"; all structs are objects.
std::string variant_phrase(const VariantShape& shape) {
  std::vector<std::string> phrases;
  for (std::size_t i = 0; i < shape.count; ++i) {
    std::string one = phrase(*shape.alternatives[i]);
    if (std::ranges::find(phrases, one) == phrases.end()) phrases.push_back(std::move(one));
  }
  std::string out = phrases.front();
  for (std::size_t i = 1; i < phrases.size(); ++i) out += (i + 1 < phrases.size() ? ", " : " or ") + phrases[i];
  return out;
}

const detail::Shape& without_optional(const detail::Shape& shape) {
  return shape.kind == Kind::optional ? *static_cast<const OptionalShape&>(shape).content : shape;
}

bool is_limited(const FieldInfo& field) { return field.min_size > 0 || field.max_size < FieldInfo::unlimited; }

}  // namespace

std::string number_text(long double value) {
  const bool is_whole = value == std::trunc(value);
  if (is_whole && value >= -0x1p63L && value < 0x1p63L) return shortest_text(static_cast<std::int64_t>(value));
  if (is_whole && value > 0 && value < 0x1p64L) return shortest_text(static_cast<std::uint64_t>(value));
  return shortest_text(static_cast<double>(value));
}

std::string phrase(const detail::Shape& shape) {
  switch (shape.kind) {
    case Kind::boolean:
      return "a boolean";
    case Kind::integer:
      return "an integer";
    case Kind::real:
      return "a number";
    case Kind::string:
    case Kind::string_view:
      return "a string";
    case Kind::any:
      return "any value";
    case Kind::enumeration:
      return enumeration_phrase(static_cast<const EnumerationShape&>(shape));
    case Kind::optional:
      return phrase(without_optional(shape));
    case Kind::array: {
      const std::size_t size = static_cast<const ListShape&>(shape).fixed_size;
      return "an array of " + size_phrase(size, size, "item");
    }
    case Kind::list:
    case Kind::bit_list:
      return "an array";
    case Kind::tuple:
      return "an array of " + size_phrase(static_cast<const detail::TupleShape&>(shape).count,
                                          static_cast<const detail::TupleShape&>(shape).count, "item");
    case Kind::coded:
      return phrase(detail::as_written(shape));
    case Kind::variant:
      return variant_phrase(static_cast<const VariantShape&>(shape));
    case Kind::map:
    case Kind::object:
    case Kind::reference:
      break;
  }
  return "an object";
}

std::string phrase(const detail::FieldShape& field) {
  const detail::Shape& shape = without_optional(*field.shape);
  std::string out = phrase(shape);
  const std::string range = range_phrase(field);
  if (!range.empty()) return out + " " + range;
  if (is_limited(field)) {
    const bool is_text = shape.kind == Kind::string;
    out += " of " + size_phrase(field.min_size, field.max_size, is_text ? "character" : "item");
  }
  return out + form_phrase(field);
}

std::string range_phrase(const FieldInfo& limits) {
  const bool has_low = has_minimum(limits);
  const bool has_high = has_maximum(limits);
  if (has_low && has_high) return "between " + number_text(limits.minimum) + " and " + number_text(limits.maximum);
  if (has_low) return "at least " + number_text(limits.minimum);
  return has_high ? "at most " + number_text(limits.maximum) : std::string();
}

std::string size_phrase(std::size_t low, std::size_t high, std::string_view unit) {
  std::string out;
  if (low == high) {
    out = std::to_string(low);
  } else if (high == FieldInfo::unlimited) {
    out = "at least " + std::to_string(low);
  } else if (low == 0) {
    out = "at most " + std::to_string(high);
  } else {
    out = std::to_string(low) + " to " + std::to_string(high);
  }
  const bool is_one = high == 1 || (high == FieldInfo::unlimited && low == 1);
  return out.append(" ").append(unit).append(is_one ? "" : "s");
}

std::string required_phrase(const detail::ObjectShape& shape) {
  std::string out = "an object";
  bool is_first = true;
  for (const detail::FieldShape& field : shape) {
    if (!field.required) continue;
    out += is_first ? " with \"" : " and \"";
    out.append(field.name).append("\" (").append(phrase(field)).append(")");
    is_first = false;
  }
  return out;
}

std::string missing_text(const detail::FieldShape& field) {
  std::string out = "missing (" + phrase(field);
  if (!field.description.empty()) out.append(": ").append(field.description);
  return out + ")";
}

}  // namespace toolwire::types
