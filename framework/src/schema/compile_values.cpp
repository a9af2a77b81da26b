// type, enum, const, and the keywords on numbers and texts.
#include <algorithm>
#include <cmath>

#include "schema/compiler.hpp"
#include "schema/equality.hpp"
#include "schema/formats.hpp"

namespace toolwire::schema {
namespace {

std::string_view view(const Json& text) { return {text.get_string().data(), text.get_string().size()}; }

Kinds kinds_of(std::string_view type) {
  using boost::json::kind;
  if (type == "null") return kind_bit(kind::null);
  if (type == "boolean") return kind_bit(kind::bool_);
  if (type == "string") return text_kinds;
  if (type == "array") return array_kinds;
  if (type == "object") return object_kinds;
  return number_kinds;
}

void add_value(ValueSet& set, const Json& value) {
  using boost::json::kind;
  switch (value.kind()) {
    case kind::null:
      set.plain |= 1;
      break;
    case kind::bool_:
      set.plain = static_cast<Kinds>(set.plain | (value.get_bool() ? 4 : 2));
      break;
    case kind::string:
      set.texts.add(view(value));
      break;
    case kind::array:
    case kind::object:
      set.others.push_back(value);
      break;
    default:
      set.numbers.push_back(value);
  }
}

ValueSet value_set(const Json* list, const Json* single) {
  ValueSet set;
  set.is_const = single != nullptr;
  if (single) {
    add_value(set, *single);
    set.listed.push_back(*single);
  } else {
    for (const Json& value : list->get_array()) add_value(set, value);
    set.listed.assign(list->get_array().begin(), list->get_array().end());
  }
  std::sort(set.numbers.begin(), set.numbers.end(),
            [](const Json& a, const Json& b) { return compare_numbers(a, b) < 0; });
  return set;
}

template <class Plan>
std::uint32_t append(std::vector<Plan>& plans, Plan plan) {
  plans.push_back(std::move(plan));
  return static_cast<std::uint32_t>(plans.size() - 1);
}

}  // namespace

void Compiler::compile_type() {
  const Json* type = keyword(Keyword::type);
  if (!type) return;
  unsigned kinds = 0;
  bool integer = false;
  bool number = false;
  const auto take = [&](const Json& name) {
    kinds |= kinds_of(view(name));
    integer = integer || view(name) == "integer";
    number = number || view(name) == "number";
  };
  if (type->is_string()) {
    take(*type);
  } else {
    for (const Json& name : type->get_array()) take(name);
  }
  Node& node = program_.nodes[current_.node];
  node.kinds = static_cast<Kinds>(kinds);
  node.integers_only = integer && !number;
  if (node.integers_only) add(kind_bit(boost::json::kind::double_), Op::integral);
}

void Compiler::compile_values() {
  if (const Json* value = keyword(Keyword::const_)) {
    add(every_kind, Op::member_of, append(program_.value_sets, value_set(nullptr, value)));
  }
  if (const Json* values = keyword(Keyword::enum_)) {
    add(every_kind, Op::member_of, append(program_.value_sets, value_set(values, nullptr)));
  }
}

void Compiler::compile_numbers() {
  RangePlan plan;
  if (const Json* minimum = keyword(Keyword::minimum)) {
    plan.range.at_least(*minimum, false);
    plan.minimum = *minimum;
  }
  if (const Json* maximum = keyword(Keyword::maximum)) {
    plan.range.at_most(*maximum, false);
    plan.maximum = *maximum;
  }
  if (const Json* minimum = keyword(Keyword::exclusive_minimum)) {
    plan.range.at_least(*minimum, true);
    plan.above_minimum = plan.minimum.is_null() || compare_numbers(*minimum, plan.minimum) >= 0;
    if (plan.above_minimum) plan.minimum = *minimum;
  }
  if (const Json* maximum = keyword(Keyword::exclusive_maximum)) {
    plan.range.at_most(*maximum, true);
    plan.below_maximum = plan.maximum.is_null() || compare_numbers(*maximum, plan.maximum) <= 0;
    if (plan.below_maximum) plan.maximum = *maximum;
  }
  if (!plan.minimum.is_null() || !plan.maximum.is_null())
    add(number_kinds, Op::number_range, append(program_.ranges, std::move(plan)));
  if (const Json* divisor = keyword(Keyword::multiple_of)) {
    add(number_kinds, Op::multiple_of, append(program_.divisors, Divisor(*divisor)));
    program_.divisors_written.push_back(*divisor);
  }
}

std::uint32_t Compiler::bound(Keyword name, std::uint32_t otherwise) const {
  const Json* value = keyword(name);
  if (!value) return otherwise;
  if (compare_numbers(*value, Json(std::uint64_t{unbounded})) >= 0) return unbounded;
  if (const auto* number = value->if_double()) return static_cast<std::uint32_t>(*number);
  return static_cast<std::uint32_t>(value->is_int64() ? value->get_int64()
                                                      : static_cast<std::int64_t>(value->get_uint64()));
}

void Compiler::compile_texts() {
  if (has_any({Keyword::min_length, Keyword::max_length})) {
    add(text_kinds, Op::text_length, bound(Keyword::min_length, 0), bound(Keyword::max_length, unbounded));
  }
  if (const Json* source = keyword(Keyword::pattern)) {
    const std::uint32_t index = pattern(*source, where(Keyword::pattern));
    if (index != unbounded) add(text_kinds, Op::pattern, index);
  }
  if (const Json* name = keyword(Keyword::format); name && current_.asserts_formats) {
    const auto format = find_format(view(*name));
    if (format) {
      add(text_kinds, Op::format, static_cast<std::uint32_t>(*format));
    } else {
      program_.notes.push_back(
          {where(Keyword::format), "the format \"" + std::string(view(*name)) + "\" is not checked"});
    }
  }
}

// `unbounded` where the pattern is left out, with a note.
std::uint32_t Compiler::pattern(const Json& source, const std::string& location) {
  const std::string text(view(source));
  const auto index = static_cast<std::uint32_t>(program_.patterns.size());
  const auto [known, added] = patterns_by_source_.emplace(text, index);
  if (!added) return known->second;
  try {
    program_.patterns.push_back({Pattern(text), text});
    return index;
  } catch (const PatternError& error) {
    patterns_by_source_.erase(known);
    if (!error.unsupported || options_.unsupported_pattern == UnsupportedPattern::refuse)
      throw SchemaError(location, error.what());
    program_.notes.push_back({location, "this pattern is not enforced: " + std::string(error.what())});
    return unbounded;
  }
}

void Compiler::compile_sizes() {
  if (has_any({Keyword::min_items, Keyword::max_items})) {
    add(array_kinds, Op::array_size, bound(Keyword::min_items, 0), bound(Keyword::max_items, unbounded));
  }
  if (has_any({Keyword::min_properties, Keyword::max_properties})) {
    add(object_kinds, Op::object_size, bound(Keyword::min_properties, 0), bound(Keyword::max_properties, unbounded));
  }
}

}  // namespace toolwire::schema
