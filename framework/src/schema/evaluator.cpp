#include "schema/evaluator.hpp"

#include <algorithm>

#include "json/fast.hpp"
#include "schema/equality.hpp"
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

std::size_t marked_size(const Json& value) {
  if (const auto* object = value.if_object()) return object->size();
  const auto* array = value.if_array();
  return array ? array->size() : 0;
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

// A member that is not simply declared: patterns may apply as well, else it is additional.
inline bool Evaluator::other_member(const ObjectPlan& plan, bool declared, const JsonObject::value_type& member,
                                    bool& evaluated) {
  for (const PatternSlot& pattern : plan.patterns) {
    if (!program_.patterns[pattern.pattern].pattern.matches({member.key().data(), member.key().size()})) continue;
    evaluated = true;
    if (!check<false>(pattern.node, member.value(), nullptr)) return false;
  }
  if (declared || evaluated) return evaluated = true;
  evaluated = plan.has_additional;
  return check<false>(plan.additional, member.value(), nullptr);
}

// In the order of the instance: each member is looked up once, and its place is mostly guessed right.
template <bool marking>
bool Evaluator::object(const ObjectPlan& plan, const JsonObject& members, Marks* marks) {
  if (!marking && plan.open && members.size() > 2 * plan.slots.size()) return declared_members(plan, members);
  steps_ -= static_cast<std::int64_t>(members.size() * (1 + plan.patterns.size()));
  const PropertySlot* const slots = plan.slots.data();
  const bool simple = plan.patterns.empty();
  std::uint32_t required = 0;
  std::uint32_t guess = 0;
  std::size_t index = 0;
  for (const auto& member : members) {
    const std::uint32_t slot = plan.names.find(member.key().data(), member.key().size(), guess);
    bool declared = false;
    if (slot != KeyTable::none) {
      guess = slot + 1;
      required += slots[slot].required ? 1U : 0U;
      declared = slots[slot].declared;
      if (declared && !check<false>(slots[slot].node, member.value(), nullptr)) return false;
    }
    bool evaluated = declared;
    if (!(declared && simple) && !other_member(plan, declared, member, evaluated)) return false;
    if constexpr (marking) {
      if (evaluated) marks->add(index);
      ++index;
    }
  }
  return required == plan.required;
}

// An object much larger than what the schema says about it.
inline bool Evaluator::declared_members(const ObjectPlan& plan, const JsonObject& members) {
  steps_ -= static_cast<std::int64_t>(plan.slots.size());
  for (std::uint32_t slot = 0; slot < plan.slots.size(); ++slot) {
    const std::string_view name = plan.names.name(slot);
    const Json* value = members.if_contains({name.data(), name.size()});
    if (value ? !check<false>(plan.slots[slot].node, *value, nullptr) : plan.slots[slot].required) return false;
  }
  return true;
}

// Makes a temporary value of each name, without the heap.
inline bool Evaluator::property_names(std::uint32_t node, const JsonObject& members) {
  for (const auto& member : members) {
    json::Arena memory(512);
    if (!check<false>(node, Json(member.key(), &memory), nullptr)) return false;
  }
  return true;
}

inline bool Evaluator::dependent_required(const Dependencies& plan, const JsonObject& members) const {
  for (std::uint32_t index = 0; index < plan.names.size(); ++index) {
    const std::string_view name = plan.names.name(index);
    if (!members.contains({name.data(), name.size()})) continue;
    for (const std::string& needed : plan.required[index]) {
      if (!members.contains(needed)) return false;
    }
  }
  return true;
}

template <bool marking>
bool Evaluator::dependent_schemas(const Dependencies& plan, const Json& value, Marks* marks) {
  for (std::uint32_t index = 0; index < plan.names.size(); ++index) {
    const std::string_view name = plan.names.name(index);
    const bool present = value.get_object().contains({name.data(), name.size()});
    if (present && !check<marking>(plan.nodes[index], value, marks)) return false;
  }
  return true;
}

template <bool marking>
bool Evaluator::prefix_items(const Instruction& at, const JsonArray& elements, Marks* marks) {
  const std::size_t count = std::min<std::size_t>(at.b - at.a, elements.size());
  for (std::size_t index = 0; index < count; ++index) {
    if (!check<false>(program_.children[at.a + index], elements[index], nullptr)) return false;
  }
  if constexpr (marking) marks->add_first(count);
  return true;
}

inline bool Evaluator::items(const Instruction& at, const JsonArray& elements) {
  steps_ -= static_cast<std::int64_t>(elements.size());
  for (std::size_t index = at.b; index < elements.size(); ++index) {
    if (!check<false>(at.a, elements[index], nullptr)) return false;
  }
  return true;
}

inline bool Evaluator::number_items(const Instruction& at, const JsonArray& elements) {
  static constexpr NumberRange everything;
  const NumberRange& range = at.a == unbounded ? everything : program_.ranges[at.a].range;
  for (const Json& element : elements) {
    if (const auto* number = element.if_double()) {
      if (!range.contains(*number)) return false;
    } else if (const auto* whole = element.if_int64()) {
      if (!range.contains(*whole)) return false;
    } else if (!check<false>(at.b, element, nullptr)) {
      return false;
    }
  }
  return true;
}

template <bool marking>
bool Evaluator::contains(const ContainsPlan& plan, const JsonArray& elements, Marks* marks) {
  std::size_t found = 0;
  steps_ -= static_cast<std::int64_t>(elements.size());
  for (std::size_t index = 0; index < elements.size(); ++index) {
    if (!check<false>(plan.node, elements[index], nullptr)) continue;
    ++found;
    if constexpr (marking) {
      if (plan.marks) marks->add(index);
    } else if (found >= plan.least && plan.most == unbounded) {
      return true;
    }
    if (found > plan.most && plan.most != unbounded) return false;
  }
  return found >= plan.least;
}

inline bool Evaluator::unevaluated_properties(std::uint32_t node, const JsonObject& members, Marks& marks) {
  std::size_t index = 0;
  for (const auto& member : members) {
    if (!marks.has(index) && !check<false>(node, member.value(), nullptr)) return false;
    ++index;
  }
  marks.add_all();
  return true;
}

inline bool Evaluator::unevaluated_items(std::uint32_t node, const JsonArray& elements, Marks& marks) {
  for (std::size_t index = 0; index < elements.size(); ++index) {
    if (!marks.has(index) && !check<false>(node, elements[index], nullptr)) return false;
  }
  marks.add_all();
  return true;
}

// A branch that fails leaves no marks behind.
template <bool marking>
bool Evaluator::attempt(std::uint32_t node, const Json& value, Marks* marks) {
  if constexpr (!marking) {
    return check<false>(node, value, nullptr);
  } else {
    Marks own(marked_size(value));
    if (!check<true>(node, value, &own)) return false;
    marks->merge(own);
    return true;
  }
}

template <bool marking>
bool Evaluator::any_of(std::uint32_t first, std::uint32_t last, const Json& value, Marks* marks) {
  bool held = false;
  for (std::uint32_t child = first; child < last; ++child) {
    if (!attempt<marking>(program_.children[child], value, marks)) continue;
    if constexpr (!marking) return true;
    held = true;  // all branches are run, since each one that holds adds to what was evaluated
  }
  return held;
}

template <bool marking>
bool Evaluator::one_of(std::uint32_t first, std::uint32_t last, const Json& value, Marks* marks) {
  bool held = false;
  for (std::uint32_t child = first; child < last; ++child) {
    if (!attempt<marking>(program_.children[child], value, marks)) continue;
    if (held) return false;
    held = true;
  }
  return held;
}

template <bool marking>
bool Evaluator::tagged(const TaggedPlan& plan, const Json& value, Marks* marks) {
  const auto* members = value.if_object();
  if (!members) {
    return plan.exactly_one ? one_of<marking>(plan.first, plan.last, value, marks)
                            : any_of<marking>(plan.first, plan.last, value, marks);
  }
  const Json* tag = members->if_contains(plan.tag);
  if (!tag || !tag->is_string()) return false;
  const auto& text = tag->get_string();
  const std::uint32_t index = plan.values.find({text.data(), text.size()});
  return index != KeyTable::none && attempt<marking>(plan.nodes[index], value, marks);
}

template <bool marking>
bool Evaluator::conditional(const Conditional& plan, const Json& value, Marks* marks) {
  const bool holds = attempt<marking>(plan.condition, value, marks);
  return check<marking>(holds ? plan.then : plan.otherwise, value, marks);
}

template <bool marking>
bool Evaluator::enter_scope(const Instruction& at, const Json& value, Marks* marks) {
  const Scope scope{scope_, at.b};
  scope_ = &scope;
  const bool held = check<marking>(at.a, value, marks);
  scope_ = scope.outer;
  return held;
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

// What other subschemas have evaluated does not count for this one; what it evaluates counts for its parents.
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
