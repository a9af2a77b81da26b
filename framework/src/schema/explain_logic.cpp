// Violations of combined subschemas.
#include <algorithm>

#include "schema/explanation.hpp"
#include "schema/phrases.hpp"

namespace toolwire::schema {
namespace {

constexpr std::size_t max_explained_branches = 16;  // branches of a choice that are explained to find the closest one
constexpr std::size_t max_reasons = 3;

}  // namespace

void Explanation::failed_logic(std::uint32_t at, const Instruction& instruction, const Json& value) {
  switch (instruction.op) {
    case Op::apply:
      return node(instruction.a, value, at, "");
    case Op::dynamic_ref:
      return node(evaluator_.dynamic_target(program_.dynamic_refs[instruction.a]), value, at, "");
    case Op::enter_scope: {
      const Scope scope{evaluator_.scope(), instruction.b};
      evaluator_.set_scope(&scope);
      node(instruction.a, value, at, "");
      return evaluator_.set_scope(scope.outer);
    }
    case Op::negate:
      return report(at, "not", "must not fit the schema under \"not\"");
    case Op::conditional: {
      const Conditional& plan = program_.conditionals[instruction.a];
      const bool holds = evaluator_.holds(plan.condition, value);
      return node(holds ? plan.then : plan.otherwise, value, at, holds ? "then" : "else");
    }
    case Op::tagged:
      return tagged(at, program_.tagged_plans[instruction.a], value);
    default:
      return choice(at, instruction.a, instruction.b, instruction.op == Op::one_of, value);
  }
}

void Explanation::choice(std::uint32_t at, std::uint32_t first, std::uint32_t last, bool exactly_one,
                         const Json& value) {
  const std::string_view keyword = exactly_one ? "oneOf" : "anyOf";
  std::vector<std::string> fitting;
  for (std::uint32_t child = first; child < last; ++child) {
    if (evaluator_.holds(program_.children[child], value)) fitting.push_back(std::to_string(child - first + 1));
  }
  if (fitting.empty()) return nothing_fits(at, first, last, keyword, value);
  report(at, keyword,
         "fits the alternatives " + list_phrase(fitting) + " of " + std::to_string(last - first) +
             "; expected exactly one");
}

// Where the types alone decide, they are the answer; else the alternative with the fewest violations is the one to
// explain.
void Explanation::nothing_fits(std::uint32_t at, std::uint32_t first, std::uint32_t last, std::string_view keyword,
                               const Json& value) {
  unsigned kinds = 0;
  bool integers_only = true;
  std::vector<SchemaViolation> best;
  for (std::uint32_t child = first; child < last; ++child) {
    const Node& branch = program_.nodes[program_.children[child]];
    kinds |= branch.kinds;
    integers_only = integers_only && (branch.integers_only || (branch.kinds & number_kinds) == 0);
    if ((branch.kinds >> static_cast<unsigned>(value.kind()) & 1) == 0 || child - first >= max_explained_branches)
      continue;
    auto violations = apart(program_.children[child], value);
    if (!violations.empty() && (best.empty() || violations.size() < best.size())) best = std::move(violations);
  }
  if (best.empty()) {
    return report(
        at, keyword,
        kinds == 0 ? "no value is allowed here" : "expected " + type_phrase(static_cast<Kinds>(kinds), integers_only));
  }
  std::string message = "fits none of the " + std::to_string(last - first) + " alternatives; closest: ";
  for (std::size_t index = 0; index < std::min(best.size(), max_reasons); ++index) {
    message += (index == 0 ? "" : "; ") + best[index].text();
  }
  report(at, keyword, std::move(message));
}

// The tag says which alternative was meant, so its violations are reported as they are.
void Explanation::tagged(std::uint32_t at, const TaggedPlan& plan, const Json& value) {
  const std::string_view keyword = plan.exactly_one ? "oneOf" : "anyOf";
  const auto* object = value.if_object();
  if (!object) return choice(at, plan.first, plan.last, plan.exactly_one, value);
  std::vector<std::string> tags;
  for (std::uint32_t index = 0; index < plan.values.size(); ++index) tags.push_back(quoted(plan.values.name(index)));
  const Json* tag = object->if_contains(plan.tag);
  if (tag && tag->is_string()) {
    const std::uint32_t index = plan.values.find({tag->get_string().data(), tag->get_string().size()});
    if (index != KeyTable::none) return node(plan.nodes[index], value, at, keyword);
  }
  const Step step(*this, plan.tag);
  report(at, keyword, (tag ? "expected one of " : "missing; expected one of ") + list_phrase(tags));
}

/// The violations of one branch, kept apart from those found so far.
std::vector<SchemaViolation> Explanation::apart(std::uint32_t child, const Json& value) {
  std::vector<SchemaViolation> outer;
  outer.swap(found_);
  node(child, value, child, "");
  outer.swap(found_);
  return outer;
}

}  // namespace toolwire::schema
