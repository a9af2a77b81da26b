// Instructions for common shapes: alternatives distinguished by a tag, arrays of plain numbers.
#include <algorithm>

#include "schema/compiler.hpp"

namespace toolwire::schema {
namespace {

using boost::json::kind;

const Instruction* list_of(const Program& program, std::uint32_t node, kind value_kind) {
  const auto index = static_cast<unsigned>(value_kind);
  const Node& entry = program.nodes[node];
  return entry.kinds >> index & 1 ? &program.code[entry.start[index]] : nullptr;
}

// The strings that are all a node accepts, or nullptr.
const ValueSet* only_texts(const Program& program, std::uint32_t node) {
  const Instruction* list = list_of(program, node, kind::string);
  if (!list) return nullptr;
  for (; list->op != Op::end; ++list) {
    if (list->op != Op::member_of) continue;
    const ValueSet& set = program.value_sets[list->a];
    if (set.plain == 0 && set.numbers.empty() && set.others.empty() && set.texts.size() != 0) return &set;
  }
  return nullptr;
}

const ObjectPlan* object_plan(const Program& program, std::uint32_t node) {
  const Instruction* list = list_of(program, node, kind::object);
  if (!list) return nullptr;
  for (; list->op != Op::end; ++list) {
    if (list->op == Op::object) return &program.object_plans[list->a];
  }
  return nullptr;
}

// The branch's strings for that required member, or nullptr.
const ValueSet* tag_values(const Program& program, std::uint32_t branch, std::string_view tag) {
  const ObjectPlan* plan = object_plan(program, branch);
  const std::uint32_t slot = plan ? plan->names.find(tag) : KeyTable::none;
  if (slot == KeyTable::none || !plan->slots[slot].required || !plan->slots[slot].declared) return nullptr;
  return only_texts(program, plan->slots[slot].node);
}

bool fill(const Program& program, TaggedPlan& plan) {
  for (std::uint32_t at = plan.first; at < plan.last; ++at) {
    const ValueSet* values = tag_values(program, program.children[at], plan.tag);
    if (!values) return false;
    for (std::uint32_t value = 0; value < values->texts.size(); ++value) {
      if (plan.values.add(values->texts.name(value)) != plan.nodes.size()) return false;  // two branches share it
      plan.nodes.push_back(program.children[at]);
    }
  }
  return true;
}

void use_tag(Program& program, Instruction& choice) {
  if (choice.b - choice.a < 2) return;
  const ObjectPlan* first = object_plan(program, program.children[choice.a]);
  for (std::uint32_t name = 0; first && name < first->names.size(); ++name) {
    if (!first->slots[name].required) continue;
    TaggedPlan plan;
    plan.tag = first->names.name(name);
    plan.first = choice.a;
    plan.last = choice.b;
    plan.exactly_one = choice.op == Op::one_of;
    if (!fill(program, plan)) continue;
    choice = {Op::tagged, static_cast<std::uint32_t>(program.tagged_plans.size()), 0};
    program.tagged_plans.push_back(std::move(plan));
    return;
  }
}

// Elements that are numbers of some kinds and at most within a range.
void use_number_items(const Program& program, Instruction& items) {
  const Node& node = program.nodes[items.a];
  if (items.a == any_value || items.b != 0 || (node.kinds & ~number_kinds) != 0 || node.kinds == 0) return;
  if (node.kinds != number_kinds || node.start[2] != node.start[3] || node.start[3] != node.start[4]) return;
  const Instruction* list = &program.code[node.start[2]];
  if (list[0].op == Op::end) {
    items = {Op::number_items, unbounded, items.a};
  } else if (list[0].op == Op::number_range && list[1].op == Op::end) {
    items = {Op::number_items, list[0].a, items.a};
  }
}

}  // namespace

void choose_quicker_instructions(Program& program) {
  for (Instruction& instruction : program.code) {
    if (instruction.op == Op::any_of || instruction.op == Op::one_of) use_tag(program, instruction);
    if (instruction.op == Op::items) use_number_items(program, instruction);
  }
}

}  // namespace toolwire::schema
