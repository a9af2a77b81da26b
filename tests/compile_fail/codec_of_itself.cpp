#include "toolwire/server.hpp"

struct Tree {
  std::vector<Tree> branches;
};
template <>
struct toolwire::Codec<Tree> {
  static std::vector<Tree> to(const Tree& tree) { return tree.branches; }
  static Tree from(std::vector<Tree> branches) { return {branches}; }
};
auto refused() { return toolwire::schema_of<Tree>(); }
