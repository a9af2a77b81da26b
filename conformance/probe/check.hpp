// A check: the code of one requirement. Independent of the list of checks.
#pragma once

#include <string_view>

#include "probe/probe.hpp"

namespace toolwire::conformance {

struct Check {
  std::string_view id;  // of its requirement
  void (*run)(Probe&);
};

}  // namespace toolwire::conformance
