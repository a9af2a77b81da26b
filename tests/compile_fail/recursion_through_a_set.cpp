#include <set>

#include "toolwire/convert.hpp"

struct Node {
  std::set<Node> children;
  static constexpr auto describe() { return toolwire::fields(toolwire::field<&Node::children>("Children")); }
};
void refused() { toolwire::schema_of<Node>(); }
