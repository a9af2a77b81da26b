// What this kernel can enforce, and allows this process to enforce. Determined once; tests can use lower values.
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

/// Determined by the first call, which may move this process into a group below its own (delegation.hpp), so it has to
/// come before any program is started. Thread-safe.
const KernelSupport& kernel_support();

}  // namespace toolwire::bridge
