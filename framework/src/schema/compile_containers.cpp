// The keywords on objects and arrays.
#include "schema/compiler.hpp"

namespace toolwire::schema {
namespace {

std::string_view view(const JsonString& text) { return {text.data(), text.size()}; }
std::string_view view(boost::json::string_view text) { return {text.data(), text.size()}; }

PropertySlot& slot_for(ObjectPlan& plan, std::string_view name) {
  const std::uint32_t index = plan.names.add(name);
  if (index == plan.slots.size()) plan.slots.emplace_back();
  return plan.slots[index];
}

template <class Plan>
std::uint32_t append(std::vector<Plan>& plans, Plan plan) {
  plans.push_back(std::move(plan));
  return static_cast<std::uint32_t>(plans.size() - 1);
}

}  // namespace

void Compiler::compile_object() {
  // Beside keywords that look at the same object in place, unevaluatedProperties must wait for what they evaluate.
  const bool alone =
      !has_any({Keyword::ref, Keyword::dynamic_ref, Keyword::all_of, Keyword::any_of, Keyword::one_of, Keyword::if_,
                Keyword::dependent_schemas, Keyword::dependencies, Keyword::additional_properties});
  current_.unevaluated_is_additional = alone && keyword(Keyword::unevaluated_properties);
  if (has_any({Keyword::properties, Keyword::pattern_properties, Keyword::additional_properties, Keyword::required}) ||
      current_.unevaluated_is_additional) {
    ObjectPlan plan;
    compile_properties(plan);
    compile_required(plan);
    compile_additional(plan);
    add(object_kinds, Op::object, append(program_.object_plans, std::move(plan)));
  }
  if (keyword(Keyword::property_names)) add(object_kinds, Op::property_names, child(Keyword::property_names));
}

void Compiler::compile_properties(ObjectPlan& plan) {
  if (const Json* properties = keyword(Keyword::properties)) {
    for (const auto& member : properties->get_object()) {
      PropertySlot& slot = slot_for(plan, view(member.key()));
      slot.declared = true;
      slot.node = child(member.value(), where(Keyword::properties, view(member.key())));
    }
  }
  if (const Json* patterns = keyword(Keyword::pattern_properties)) {
    for (const auto& member : patterns->get_object()) {
      const std::string location = where(Keyword::pattern_properties, view(member.key()));
      const std::uint32_t index = pattern(Json(member.key()), location);
      if (index != unbounded) plan.patterns.push_back({index, child(member.value(), location)});
    }
  }
}

void Compiler::compile_required(ObjectPlan& plan) {
  const Json* required = keyword(Keyword::required);
  if (!required) return;
  for (const Json& name : required->get_array()) {
    PropertySlot& slot = slot_for(plan, view(name.get_string()));
    slot.required = true;
    ++plan.required;
  }
}

// Without a pattern that was left out, what it would have matched must not count as additional.
void Compiler::compile_additional(ObjectPlan& plan) {
  const Json* patterns = keyword(Keyword::pattern_properties);
  const bool complete = !patterns || plan.patterns.size() == patterns->get_object().size();
  const Keyword name =
      current_.unevaluated_is_additional ? Keyword::unevaluated_properties : Keyword::additional_properties;
  plan.additional_is_unevaluated = current_.unevaluated_is_additional;
  plan.has_additional = keyword(name) != nullptr;
  if (plan.has_additional && complete) plan.additional = child(name);
  plan.open = plan.patterns.empty() && plan.additional == any_value;
}

void Compiler::compile_dependencies() {
  for (const Keyword name : {Keyword::dependent_required, Keyword::dependent_schemas, Keyword::dependencies}) {
    if (keyword(name)) compile_dependency_members(name);
  }
}

void Compiler::compile_dependency_members(Keyword name) {
  Dependencies names;
  Dependencies schemas;
  for (const auto& member : keyword(name)->get_object()) {
    if (const auto* list = member.value().if_array()) {
      names.names.add(view(member.key()));
      auto& required = names.required.emplace_back();
      for (const Json& needed : *list) required.emplace_back(view(needed.get_string()));
    } else {
      schemas.names.add(view(member.key()));
      schemas.nodes.push_back(child(member.value(), where(name, view(member.key()))));
    }
  }
  if (!names.required.empty())
    add(object_kinds, Op::dependent_required, append(program_.dependencies, std::move(names)));
  if (!schemas.nodes.empty())
    add(object_kinds, Op::dependent_schemas, append(program_.dependencies, std::move(schemas)));
}

void Compiler::compile_array() {
  const Json* list = keyword(Keyword::prefix_items);
  const Json* items = keyword(Keyword::items);
  Keyword rest = Keyword::items;
  Keyword prefix = Keyword::prefix_items;
  if (items && items->is_array()) {  // draft-07
    list = items;
    prefix = Keyword::items;
    rest = Keyword::additional_items;
  }
  std::uint32_t count = 0;
  if (list) {
    count = static_cast<std::uint32_t>(list->get_array().size());
    const std::uint32_t first = children_of(list->get_array(), prefix);
    if (count != 0) add(array_kinds, Op::prefix_items, first, first + count);
  }
  if (keyword(rest)) add(array_kinds, Op::items, child(rest), count);
  compile_contains();
  if (keyword(Keyword::unique_items) && keyword(Keyword::unique_items)->get_bool()) add(array_kinds, Op::unique_items);
}

void Compiler::compile_contains() {
  if (!keyword(Keyword::contains)) return;
  ContainsPlan plan;
  plan.node = child(Keyword::contains);
  plan.least = bound(Keyword::min_contains, 1);
  plan.most = bound(Keyword::max_contains, unbounded);
  plan.marks = !registry_.resource(current_.resource).dialect.is_draft_07();
  add(array_kinds, Op::contains, append(program_.contains_plans, plan));
}

void Compiler::compile_unevaluated() {
  Node& node = program_.nodes[current_.node];
  if (keyword(Keyword::unevaluated_properties) && !current_.unevaluated_is_additional) {
    node.keeps_marks = static_cast<Kinds>(node.keeps_marks | object_kinds);
    add(object_kinds, Op::unevaluated_properties, child(Keyword::unevaluated_properties));
  }
  if (keyword(Keyword::unevaluated_items)) {
    program_.nodes[current_.node].keeps_marks =
        static_cast<Kinds>(program_.nodes[current_.node].keeps_marks | array_kinds);
    add(array_kinds, Op::unevaluated_items, child(Keyword::unevaluated_items));
  }
}

}  // namespace toolwire::schema
