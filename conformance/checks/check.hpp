// A check: the code of one requirement. Each group has its file, checks/<group>.cpp, with a table of them.
#pragma once

#include <span>
#include <string_view>

#include "checks/probe.hpp"

namespace toolwire::conformance {

struct Check {
  std::string_view id;  // of its requirement
  void (*run)(Probe&);
};

/// The checks of a group share a session; groups run beside each other.
struct Group {
  std::string_view name;  // that of its catalogue file
  std::span<const Check> checks;
};

std::span<const Group> groups();

}  // namespace toolwire::conformance
