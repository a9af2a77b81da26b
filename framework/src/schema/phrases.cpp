#include "schema/phrases.hpp"

#include <algorithm>
#include <array>
#include <stdexcept>

#include "schema/numbers.hpp"
#include "toolwire/text.hpp"

namespace toolwire::schema {
namespace {

constexpr std::size_t max_shown = 60;
constexpr std::size_t max_listed = 20;

std::string shortened(std::string_view text) {
  if (text.size() <= max_shown) return text::visible(text);
  return text::visible(text::head(text, max_shown - 3)) + "...";
}

bool below(const RangePlan& plan, const Json& number) {
  if (plan.minimum.is_null()) return false;
  const int order = compare_numbers(number, plan.minimum);
  return order < 0 || (order == 0 && plan.above_minimum);
}

std::string plural(std::size_t count, std::string_view unit) {
  return std::to_string(count) + " " + std::string(unit) + (count == 1 ? "" : "s");
}

}  // namespace

std::string shown(const Json& value) {
  if (value.is_object()) return "this object";
  if (value.is_array()) return "this array";
  try {
    return shortened(to_json_text(value));
  } catch (const std::invalid_argument&) {
    return "this number";  // NaN and infinities, which no JSON text holds
  }
}

std::string quoted(std::string_view text) { return shown(Json(boost::json::string_view(text.data(), text.size()))); }

std::string type_phrase(Kinds kinds, bool integers_only) {
  using boost::json::kind;
  struct Word {
    Kinds kinds;
    std::string_view text;
  };
  const std::array<Word, 6> words = {{{text_kinds, "a string"},
                                      {number_kinds, integers_only ? "an integer" : "a number"},
                                      {kind_bit(kind::bool_), "a boolean"},
                                      {array_kinds, "an array"},
                                      {object_kinds, "an object"},
                                      {kind_bit(kind::null), "null"}}};
  std::vector<std::string_view> used;
  for (const Word& word : words) {
    if ((kinds & word.kinds) != 0) used.push_back(word.text);
  }
  std::string out;
  for (std::size_t index = 0; index < used.size(); ++index) {
    if (index != 0) out += index + 1 == used.size() ? " or " : ", ";
    out += used[index];
  }
  return out;
}

std::string_view range_keyword(const RangePlan& plan, const Json& number) {
  if (below(plan, number)) return plan.above_minimum ? "exclusiveMinimum" : "minimum";
  return plan.below_maximum ? "exclusiveMaximum" : "maximum";
}

std::string range_phrase(const RangePlan& plan, const Json& number) {
  const bool both = !plan.minimum.is_null() && !plan.maximum.is_null();
  if (both && !plan.above_minimum && !plan.below_maximum) {
    return shown(number) + " is not between " + shown(plan.minimum) + " and " + shown(plan.maximum);
  }
  if (below(plan, number)) {
    return shown(number) + (plan.above_minimum ? " is not greater than " : " is not at least ") + shown(plan.minimum);
  }
  return shown(number) + (plan.below_maximum ? " is not less than " : " is not at most ") + shown(plan.maximum);
}

std::string size_phrase(std::size_t size, std::string_view unit, std::uint32_t least, std::uint32_t most) {
  std::string out = "has " + plural(size, unit) + "; expected ";
  if (least == most && least > 0) return out + "exactly " + std::to_string(least);
  if (least > 0 && most != unbounded) return out + std::to_string(least) + " to " + std::to_string(most);
  return out + (size < least ? "at least " + std::to_string(least) : "at most " + std::to_string(most));
}

std::string list_phrase(const std::vector<std::string>& names) {
  std::string out;
  for (std::size_t index = 0; index < std::min(names.size(), max_listed); ++index) {
    if (index != 0) out += ", ";
    out += names[index];
  }
  if (names.size() > max_listed) out += " and " + std::to_string(names.size() - max_listed) + " more";
  return out;
}

std::string value_set_phrase(const ValueSet& set) {
  std::vector<std::string> values;
  for (const Json& value : set.listed) {
    const bool nested = value.is_object() || value.is_array();
    values.push_back(nested ? shortened(to_json_text(value)) : shown(value));
  }
  return (values.size() == 1 ? "expected " : "expected one of ") + list_phrase(values);
}

}  // namespace toolwire::schema
