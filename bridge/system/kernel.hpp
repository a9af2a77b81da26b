// What this kernel can enforce, and lets this process enforce. Asked once; a lower level can be made up for tests.
// Enforces nothing.
#pragma once

#include <string>

namespace toolwire::bridge {

/// A plain value.
struct KernelSupport {
  int landlock = 0;  ///< The version of its interface; 0: not there or not switched on.
  bool seccomp = false;
  std::string control_group = {};  ///< A folder of control groups delegated to us; empty: none.
  std::string why_no_control_group = "no control group is delegated to the bridge";
};

/// What was found at the first call, which may move this process into a group below its own (delegation.hpp): before
/// any program is started, as a ProcessStart sees to. Thread-safe.
const KernelSupport& kernel_support();

}  // namespace toolwire::bridge
