// After compiling: bypasses nodes that only refer to another, and refuses references that never come to an end.
#include <algorithm>

#include "schema/compiler.hpp"
#include "schema/node_references.hpp"

namespace toolwire::schema {
namespace {

// The node that a reference to this one may lead to instead; mostly the node itself.
std::uint32_t bypass(const Program& program, std::uint32_t index) {
  const Node& node = program.nodes[index];
  if (node.kinds != every_kind || node.keeps_marks != 0) return index;
  const std::uint32_t start = node.start[0];
  if (std::any_of(node.start.begin(), node.start.end(), [&](std::uint32_t other) { return other != start; }))
    return index;
  const Instruction* list = &program.code[start];
  if (list[0].op == Op::end) return any_value;
  return list[0].op == Op::apply && list[1].op == Op::end ? list[0].a : index;
}

class EndlessSearch {
 public:
  EndlessSearch(const Program& program, unsigned kind)
      : program_(program), kind_(kind), state_(program.nodes.size(), fresh) {}

  void run() {
    for (std::uint32_t node = 0; node < state_.size(); ++node) {
      if (state_[node] == fresh) enter(node);
      while (!path_.empty()) advance();
    }
  }

 private:
  enum State : std::uint8_t { fresh, open, done };
  struct Step {
    std::uint32_t node;
    std::vector<std::uint32_t> next;
  };

  void enter(std::uint32_t node) {
    state_[node] = open;
    Step step{node, {}};
    for_each_in_place(program_, program_.nodes[node], kind_, [&](std::uint32_t child) { step.next.push_back(child); });
    path_.push_back(std::move(step));
  }

  void advance() {
    Step& top = path_.back();
    if (top.next.empty()) {
      state_[top.node] = done;
      path_.pop_back();
      return;
    }
    const std::uint32_t child = top.next.back();
    top.next.pop_back();
    if (state_[child] == fresh) return enter(child);
    if (state_[child] == open) {
      throw SchemaError(program_.locations[program_.nodes[child].location],
                        "refers back to itself without looking at a part of the value: checking it would never end");
    }
  }

  const Program& program_;
  unsigned kind_;
  std::vector<State> state_;
  std::vector<Step> path_;
};

// Children get higher numbers than their parents; only a reference leads back. Without one there is no circle.
bool may_go_back(const Program& program, unsigned kind) {
  for (std::uint32_t index = 0; index < program.nodes.size(); ++index) {
    bool back = false;
    for_each_in_place(program, program.nodes[index], kind,
                      [&](std::uint32_t child) { back = back || (child <= index && child != any_value); });
    if (back) return true;
  }
  return false;
}

}  // namespace

void shorten_paths(Program& program) {
  std::vector<std::uint32_t> target(program.nodes.size());
  for (std::uint32_t index = 0; index < target.size(); ++index) target[index] = bypass(program, index);
  for_each_node_reference(program, [&](std::uint32_t& node) {
    // Bounded: references in a circle are left for refuse_endless_references to find.
    for (int hops = 0; hops < 64 && target[node] != node; ++hops) node = target[node];
  });
}

void refuse_endless_references(const Program& program) {
  for (unsigned kind = 0; kind < 8; ++kind) {
    if (may_go_back(program, kind)) EndlessSearch(program, kind).run();
  }
}

}  // namespace toolwire::schema
