#include "toolwire/convert.hpp"

struct Node {
  std::vector<Node> children;
  std::string_view name;
  static constexpr auto describe() {
    return toolwire::fields(toolwire::field<&Node::children>("Below"), toolwire::field<&Node::name>("Its name"));
  }
};
struct Tree {
  std::vector<Node> roots;
  static constexpr auto describe() { return toolwire::fields(toolwire::field<&Tree::roots>("At the top")); }
};
void refused(Tree& tree, toolwire::Violations& violations) { toolwire::decode({}, tree, "", violations); }
