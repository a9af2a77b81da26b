// Runs a program on a value and says whether it fits. Stops at the first violation; explanation.hpp explains.
// Independent of how programs are made.
#pragma once

#include <cstdint>

#include "schema/marks.hpp"
#include "schema/program.hpp"

namespace toolwire::schema {

/// The resources entered on the way to a subschema, innermost first; lives on the stack of the evaluation.
struct Scope {
  const Scope* outer = nullptr;
  std::uint32_t resource = 0;
};

/// One validation: the remaining budget, the depth, the dynamic scope. One thread; the program must outlive it.
class Evaluator {
 public:
  static constexpr int greatest_depth =
      1000;  // subschemas inside one another; a level takes some hundred bytes of stack

  explicit Evaluator(const Program& program)
      : program_(program),
        nodes_(program.nodes.data()),
        code_(program.code.data()),
        steps_(static_cast<std::int64_t>(program.step_budget)),
        outermost_{nullptr, program.root_resource},
        scope_(&outermost_) {}
  Evaluator(const Evaluator&) = delete;
  Evaluator& operator=(const Evaluator&) = delete;

  /// Whether the value fits the node. Once the budget or the depth is spent every answer is false, and `exhausted`
  /// true.
  bool holds(std::uint32_t node, const Json& value) { return check<false>(node, value, nullptr); }

  /// Runs one instruction on its own; what it evaluates is added to `marks` where that is not nullptr.
  bool holds(const Instruction& instruction, const Json& value, Marks* marks);

  bool exhausted() const { return steps_ < 0; }
  const Scope* scope() const { return scope_; }
  void set_scope(const Scope* scope) { scope_ = scope; }
  std::uint32_t dynamic_target(const DynamicRef& reference);

 private:
  template <bool marking>
  bool check(std::uint32_t node, const Json& value, Marks* marks) {
    const Node& entry = nodes_[node];
    const auto kind = static_cast<unsigned>(value.kind());
    if ((entry.kinds >> kind & 1) == 0) return false;
    for (const Instruction* list = code_ + entry.start[kind]; list->op != Op::end; ++list) {
      if (list->op > last_scalar) return enter<marking>(entry, list, value, marks);
      if (!scalar(*list, value)) return false;
    }
    return true;
  }

  bool scalar(const Instruction& at, const Json& value);
  template <bool marking>
  bool enter(const Node& node, const Instruction* list, const Json& value, Marks* marks);
  bool enter_keeping_marks(const Instruction* list, const Json& value, Marks* outer);
  template <bool marking>
  bool run(const Instruction* list, const Json& value, Marks* marks);
  template <bool marking>
  bool step(const Instruction& at, const Json& value, Marks* marks);

  bool number(const Instruction& at, const Json& value) const;
  bool text(const Instruction& at, const Json& value);
  template <bool marking>
  bool object(const ObjectPlan& plan, const JsonObject& members, Marks* marks);
  bool declared_members(const ObjectPlan& plan, const JsonObject& members);
  bool other_member(const ObjectPlan& plan, bool declared, const JsonObject::value_type& member, bool& evaluated);
  bool property_names(std::uint32_t node, const JsonObject& members);
  bool dependent_required(const Dependencies& plan, const JsonObject& members) const;
  template <bool marking>
  bool dependent_schemas(const Dependencies& plan, const Json& value, Marks* marks);
  template <bool marking>
  bool prefix_items(const Instruction& at, const JsonArray& elements, Marks* marks);
  bool items(const Instruction& at, const JsonArray& elements);
  bool number_items(const Instruction& at, const JsonArray& elements);
  template <bool marking>
  bool contains(const ContainsPlan& plan, const JsonArray& elements, Marks* marks);
  template <bool marking>
  bool attempt(std::uint32_t node, const Json& value, Marks* marks);
  template <bool marking>
  bool any_of(std::uint32_t first, std::uint32_t last, const Json& value, Marks* marks);
  template <bool marking>
  bool one_of(std::uint32_t first, std::uint32_t last, const Json& value, Marks* marks);
  template <bool marking>
  bool tagged(const TaggedPlan& plan, const Json& value, Marks* marks);
  template <bool marking>
  bool conditional(const Conditional& plan, const Json& value, Marks* marks);
  template <bool marking>
  bool enter_scope(const Instruction& at, const Json& value, Marks* marks);
  bool unevaluated_properties(std::uint32_t node, const JsonObject& members, Marks& marks);
  bool unevaluated_items(std::uint32_t node, const JsonArray& elements, Marks& marks);

  const Program& program_;
  const Node* nodes_;
  const Instruction* code_;
  std::int64_t steps_;
  int depth_ = 0;
  Scope outermost_;
  const Scope* scope_;
};

/// Whether the value is one of the set.
bool is_member(const ValueSet& set, const Json& value);

}  // namespace toolwire::schema
