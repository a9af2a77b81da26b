#include "schema/evaluator.hpp"

#include <algorithm>

#include "schema/equality.hpp"
#include "schema/evaluate_containers.hpp"
#include "schema/evaluate_logic.hpp"
#include "schema/formats.hpp"
#include "schema/text_length.hpp"

namespace toolwire::schema {
namespace {

using boost::json::kind;

std::string_view view(const Json& text) {
  const auto& string = text.get_string();
  return {string.data(), string.size()};
}

bool between(std::size_t size, std::uint32_t least, std::uint32_t most) {
  return size >= least && (size <= most || most == unbounded);
}

}  // namespace

bool is_member(const ValueSet& set, const Json& value) {
  switch (value.kind()) {
    case kind::null:
      return (set.plain & 1) != 0;
    case kind::bool_:
      return (set.plain & (value.get_bool() ? 4 : 2)) != 0;
    case kind::string:
      return set.texts.find(view(value)) != KeyTable::none;
    case kind::array:
    case kind::object:
      return std::any_of(set.others.begin(), set.others.end(),
                         [&](const Json& other) { return json_equal(other, value); });
    default: {
      const auto less = [](const Json& a, const Json& b) { return compare_numbers(a, b) < 0; };
      return std::binary_search(set.numbers.begin(), set.numbers.end(), value, less);
    }
  }
}

inline bool Evaluator::number(const Instruction& at, const Json& value) const {
  const auto holds_for = [&](auto checks) {
    if (const auto* number = value.if_int64()) return checks(*number);
    if (const auto* number = value.if_double()) return checks(*number);
    return checks(value.get_uint64());
  };
  if (at.op == Op::integral) return is_whole(value.get_double());
  if (at.op == Op::number_range)
    return holds_for([&](auto number) { return program_.ranges[at.a].range.contains(number); });
  return holds_for([&](auto number) { return program_.divisors[at.a].divides(number); });
}

inline bool Evaluator::text(const Instruction& at, const Json& value) {
  const std::string_view text = view(value);
  if (at.op == Op::text_length) return has_length(text, at.a, at.b);
  steps_ -= static_cast<std::int64_t>(text.size() / 64);
  if (at.op == Op::pattern) return program_.patterns[at.a].pattern.matches(text);
  return format_holds(static_cast<Format>(at.a), text);
}

bool Evaluator::scalar(const Instruction& at, const Json& value) {
  switch (at.op) {
    case Op::integral:
    case Op::number_range:
    case Op::multiple_of:
      return number(at, value);
    case Op::text_length:
    case Op::pattern:
    case Op::format:
      return text(at, value);
    case Op::array_size:
      return between(value.get_array().size(), at.a, at.b);
    case Op::object_size:
      return between(value.get_object().size(), at.a, at.b);
    case Op::unique_items:
      steps_ -= static_cast<std::int64_t>(value.get_array().size());
      return all_different(value.get_array());
    case Op::member_of:
      return is_member(program_.value_sets[at.a], value);
    default:
      return true;  // the end of a list
  }
}

template <bool marking>
bool Evaluator::enter(const Node& node, const Instruction* list, const Json& value, Marks* marks) {
  if (--steps_ < 0 || depth_ >= greatest_depth) {
    steps_ = -1;
    return false;
  }
  ++depth_;
  const bool keeps = (node.keeps_marks >> static_cast<unsigned>(value.kind()) & 1) != 0;
  const bool held =
      keeps ? enter_keeping_marks(list, value, marking ? marks : nullptr) : run<marking>(list, value, marks);
  --depth_;
  return held;
}

// What cousins have evaluated does not count for this subschema; what it evaluates counts for its parents.
bool Evaluator::enter_keeping_marks(const Instruction* list, const Json& value, Marks* outer) {
  Marks own(value.is_object() ? value.get_object().size() : value.get_array().size());
  if (!run<true>(list, value, &own)) return false;
  if (outer) outer->merge(own);
  return true;
}

template <bool marking>
bool Evaluator::run(const Instruction* list, const Json& value, Marks* marks) {
  for (; list->op != Op::end; ++list) {
    if (!step<marking>(*list, value, marks)) return false;
  }
  return true;
}

template <bool marking>
inline bool Evaluator::step(const Instruction& at, const Json& value, Marks* marks) {
  switch (at.op) {
    case Op::object:
      return object<marking>(program_.object_plans[at.a], value.get_object(), marks);
    case Op::property_names:
      return property_names(at.a, value.get_object());
    case Op::dependent_required:
      return dependent_required(program_.dependencies[at.a], value.get_object());
    case Op::dependent_schemas:
      return dependent_schemas<marking>(program_.dependencies[at.a], value, marks);
    case Op::prefix_items:
      return prefix_items<marking>(at, value.get_array(), marks);
    case Op::items:
    case Op::number_items:
      if constexpr (marking) marks->add_all();
      return at.op == Op::items ? items(at, value.get_array()) : number_items(at, value.get_array());
    case Op::contains:
      return contains<marking>(program_.contains_plans[at.a], value.get_array(), marks);
    case Op::apply:
    case Op::dynamic_ref:
      return check<marking>(at.op == Op::apply ? at.a : dynamic_target(program_.dynamic_refs[at.a]), value, marks);
    case Op::any_of:
      return any_of<marking>(at.a, at.b, value, marks);
    case Op::one_of:
      return one_of<marking>(at.a, at.b, value, marks);
    case Op::tagged:
      return tagged<marking>(program_.tagged_plans[at.a], value, marks);
    case Op::negate:
      return !check<false>(at.a, value, nullptr);
    case Op::conditional:
      return conditional<marking>(program_.conditionals[at.a], value, marks);
    case Op::enter_scope:
      return enter_scope<marking>(at, value, marks);
    case Op::unevaluated_properties:
      return unevaluated_properties(at.a, value.get_object(), *marks);
    case Op::unevaluated_items:
      return unevaluated_items(at.a, value.get_array(), *marks);
    default:
      return scalar(at, value);
  }
}

// The outermost resource on the way here that has the anchor.
std::uint32_t Evaluator::dynamic_target(const DynamicRef& reference) {
  const auto& candidates = program_.dynamic_candidates[reference.candidates];
  std::uint32_t target = reference.fallback;
  for (const Scope* scope = scope_; scope; scope = scope->outer) {
    --steps_;
    const auto found = std::lower_bound(
        candidates.begin(), candidates.end(), scope->resource,
        [](const DynamicCandidate& candidate, std::uint32_t resource) { return candidate.resource < resource; });
    if (found != candidates.end() && found->resource == scope->resource) target = found->node;
  }
  return target;
}

bool Evaluator::holds(const Instruction& instruction, const Json& value, Marks* marks) {
  return marks ? step<true>(instruction, value, marks) : step<false>(instruction, value, nullptr);
}

// `check`, inline in the header, calls these from other files.
template bool Evaluator::enter<false>(const Node&, const Instruction*, const Json&, Marks*);
template bool Evaluator::enter<true>(const Node&, const Instruction*, const Json&, Marks*);

}  // namespace toolwire::schema
