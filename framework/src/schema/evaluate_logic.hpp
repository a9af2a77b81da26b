// The evaluator on combinations of subschemas; a part of evaluator.cpp, apart only for its size.
#pragma once

#include "schema/evaluator.hpp"

namespace toolwire::schema {

inline std::size_t marked_size(const Json& value) {
  if (const auto* object = value.if_object()) return object->size();
  const auto* array = value.if_array();
  return array ? array->size() : 0;
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
    held = true;  // every branch that holds has its say in what was evaluated
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

}  // namespace toolwire::schema
