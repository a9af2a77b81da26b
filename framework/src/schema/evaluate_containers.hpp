// The evaluator on objects and arrays; a part of evaluator.cpp, apart only for its size.
#pragma once

#include <algorithm>

#include "schema/evaluator.hpp"

namespace toolwire::schema {

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

// In the order of the instance: each member is looked up once, and its place mostly guessed right.
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

// Names become values for as long as they are looked at.
inline bool Evaluator::property_names(std::uint32_t node, const JsonObject& members) {
  for (const auto& member : members) {
    if (!check<false>(node, Json(member.key()), nullptr)) return false;
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

}  // namespace toolwire::schema
