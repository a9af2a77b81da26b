// Violations in objects and arrays.
#include "schema/equality.hpp"
#include "schema/explanation.hpp"
#include "schema/phrases.hpp"

namespace toolwire::schema {
namespace {

std::string_view view(boost::json::string_view text) { return {text.data(), text.size()}; }

std::vector<std::string> declared_names(const ObjectPlan& plan) {
  std::vector<std::string> names;
  for (std::uint32_t index = 0; index < plan.slots.size(); ++index) {
    if (plan.slots[index].declared) names.emplace_back(plan.names.name(index));
  }
  return names;
}

}  // namespace

void Explanation::failed_object(std::uint32_t at, const Instruction& instruction, const Json& value, Marks* marks) {
  const JsonObject& object = value.get_object();
  switch (instruction.op) {
    case Op::object:
      return members(at, program_.object_plans[instruction.a], object);
    case Op::object_size:
      return report(at, object.size() < instruction.a ? "minProperties" : "maxProperties",
                    size_phrase(object.size(), "member", instruction.a, instruction.b));
    case Op::property_names:
      return property_names(at, instruction.a, object);
    case Op::dependent_required:
      return dependent_required(at, program_.dependencies[instruction.a], object);
    case Op::dependent_schemas: {
      const Dependencies& plan = program_.dependencies[instruction.a];
      for (std::uint32_t index = 0; index < plan.names.size(); ++index) {
        const std::string_view name = plan.names.name(index);
        if (object.contains({name.data(), name.size()})) node(plan.nodes[index], value, at, "dependentSchemas");
      }
      return;
    }
    default: {
      std::size_t index = 0;
      for (const auto& member : object) {
        if (marks->has(index++)) continue;
        const Step step(*this, view(member.key()));
        node(instruction.a, member.value(), at, "unevaluatedProperties");
      }
    }
  }
}

void Explanation::members(std::uint32_t at, const ObjectPlan& plan, const JsonObject& object) {
  for (std::uint32_t slot = 0; slot < plan.slots.size(); ++slot) {
    const std::string_view name = plan.names.name(slot);
    if (!plan.slots[slot].required || object.contains({name.data(), name.size()})) continue;
    missing(at, "required", name, "missing");
  }
  for (const auto& member : object) {
    if (stopped()) return;
    const Step step(*this, view(member.key()));
    const std::uint32_t slot = plan.names.find(view(member.key()));
    bool evaluated = slot != KeyTable::none && plan.slots[slot].declared;
    if (evaluated) node(plan.slots[slot].node, member.value(), at, "properties");
    for (const PatternSlot& pattern : plan.patterns) {
      if (!program_.patterns[pattern.pattern].pattern.matches(view(member.key()))) continue;
      evaluated = true;
      node(pattern.node, member.value(), at, "patternProperties");
    }
    if (!evaluated) additional_member(at, plan, member);
  }
}

void Explanation::additional_member(std::uint32_t at, const ObjectPlan& plan, const JsonObject::value_type& member) {
  const std::string_view keyword = plan.additional_is_unevaluated ? "unevaluatedProperties" : "additionalProperties";
  if (!refuses_all(plan.additional)) return node(plan.additional, member.value(), at, keyword);
  const auto names = declared_names(plan);
  report(at, keyword, names.empty() ? "unknown member" : "unknown member; known are " + list_phrase(names));
}

void Explanation::property_names(std::uint32_t at, std::uint32_t child, const JsonObject& object) {
  for (const auto& member : object) {
    const Json name(member.key());
    if (stopped() || evaluator_.holds(child, name)) continue;
    std::string reasons;
    for (const auto& violation : apart(child, name)) reasons += (reasons.empty() ? "" : "; ") + violation.message;
    report(at, "propertyNames", "the member name " + quoted(view(member.key())) + " does not fit: " + reasons);
  }
}

void Explanation::dependent_required(std::uint32_t at, const Dependencies& plan, const JsonObject& object) {
  for (std::uint32_t index = 0; index < plan.names.size(); ++index) {
    const std::string_view name = plan.names.name(index);
    if (!object.contains({name.data(), name.size()})) continue;
    for (const std::string& needed : plan.required[index]) {
      if (object.contains(needed)) continue;
      missing(at, "dependentRequired", needed, "missing; needed beside " + quoted(name));
    }
  }
}

void Explanation::failed_array(std::uint32_t at, const Instruction& instruction, const JsonArray& elements,
                               Marks* marks) {
  const auto each_from = [&](std::size_t first, std::uint32_t child, std::string_view keyword) {
    for (std::size_t index = first; index < elements.size() && !stopped(); ++index) {
      if (marks && instruction.op == Op::unevaluated_items && marks->has(index)) continue;
      if (evaluator_.holds(child, elements[index])) continue;
      const Step step(*this, index);
      node(child, elements[index], at, keyword);
    }
  };
  switch (instruction.op) {
    case Op::array_size:
      return report(at, elements.size() < instruction.a ? "minItems" : "maxItems",
                    size_phrase(elements.size(), "item", instruction.a, instruction.b));
    case Op::unique_items:
      return report(at, "uniqueItems", "two items are equal; all must differ");
    case Op::prefix_items:
      for (std::size_t index = 0; index < elements.size() && instruction.a + index < instruction.b; ++index) {
        const Step step(*this, index);
        node(program_.children[instruction.a + index], elements[index], at, "prefixItems");
      }
      return;
    case Op::items:
      return each_from(instruction.b, instruction.a, "items");
    case Op::number_items:
      return each_from(0, instruction.b, "items");
    case Op::contains:
      return contains(at, program_.contains_plans[instruction.a], elements);
    default:
      return each_from(0, instruction.a, "unevaluatedItems");
  }
}

void Explanation::contains(std::uint32_t at, const ContainsPlan& plan, const JsonArray& elements) {
  std::size_t fitting = 0;
  for (const Json& element : elements) fitting += evaluator_.holds(plan.node, element) ? 1U : 0U;
  if (fitting > plan.most) {
    return report(at, "maxContains",
                  std::to_string(fitting) + " items fit \"contains\"; expected at most " + std::to_string(plan.most));
  }
  report(at, plan.least == 1 ? "contains" : "minContains",
         std::to_string(fitting) + " items fit \"contains\"; expected at least " + std::to_string(plan.least));
}

}  // namespace toolwire::schema
