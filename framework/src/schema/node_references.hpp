// Every place of a program that refers to a node. Independent of what the references mean.
#pragma once

#include "schema/program.hpp"

namespace toolwire::schema {

constexpr bool names_a_node(Op op) {
  switch (op) {
    case Op::property_names:
    case Op::items:
    case Op::apply:
    case Op::negate:
    case Op::enter_scope:
    case Op::unevaluated_properties:
    case Op::unevaluated_items:
      return true;
    default:
      return false;
  }
}

/// Calls `visit` with each reference, which it may rewrite.
template <class Visit>
void for_each_node_reference(Program& program, Visit visit) {
  visit(program.root);
  for (Instruction& instruction : program.code) {
    if (names_a_node(instruction.op)) visit(instruction.a);
  }
  for (std::uint32_t& child : program.children) visit(child);
  for (ObjectPlan& plan : program.object_plans) {
    for (PropertySlot& slot : plan.slots) visit(slot.node);
    for (PatternSlot& slot : plan.patterns) visit(slot.node);
    visit(plan.additional);
  }
  for (Dependencies& plan : program.dependencies) {
    for (std::uint32_t& node : plan.nodes) visit(node);
  }
  for (ContainsPlan& plan : program.contains_plans) visit(plan.node);
  for (Conditional& plan : program.conditionals) {
    visit(plan.condition);
    visit(plan.then);
    visit(plan.otherwise);
  }
  for (DynamicRef& plan : program.dynamic_refs) visit(plan.fallback);
  for (auto& candidates : program.dynamic_candidates) {
    for (DynamicCandidate& candidate : candidates) visit(candidate.node);
  }
}

/// Calls `visit` with every node that is run on the same value as `node`, when that value is of `kind`.
template <class Visit>
void for_each_in_place(const Program& program, const Node& node, unsigned kind, Visit visit) {
  if (!(node.kinds >> kind & 1)) return;
  for (const Instruction* at = &program.code[node.start[kind]]; at->op != Op::end; ++at) {
    switch (at->op) {
      case Op::apply:
      case Op::negate:
      case Op::enter_scope:
        visit(at->a);
        break;
      case Op::any_of:
      case Op::one_of:
        for (std::uint32_t child = at->a; child < at->b; ++child) visit(program.children[child]);
        break;
      case Op::conditional:
        visit(program.conditionals[at->a].condition);
        visit(program.conditionals[at->a].then);
        visit(program.conditionals[at->a].otherwise);
        break;
      case Op::dependent_schemas:
        for (const std::uint32_t child : program.dependencies[at->a].nodes) visit(child);
        break;
      case Op::dynamic_ref:
        visit(program.dynamic_refs[at->a].fallback);
        break;
      default:
        break;
    }
  }
}

}  // namespace toolwire::schema
