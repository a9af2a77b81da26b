// Whether the bridge may make control groups, and where. The one place that moves the bridge itself. Independent of
// programs and their limits.
#pragma once

#include <string>

namespace toolwire::bridge {

/// Where the system tells of control groups. Others than the system's own are for tests. A plain value.
struct ControlGroupPlaces {
  std::string mounts = "/proc/self/mountinfo";
  std::string own = "/proc/self/cgroup";
};

/// A plain value.
struct Delegation {
  std::string folder = {};   ///< Where groups are made, with memory and processes counted; empty: nowhere.
  std::string why_not = {};  ///< If nowhere.
};

/// Looks whether this process's own group is this process's alone and it may make groups below; if so, moves it into a
/// leaf, removes what bridges that are gone left behind, and tries out a group. Where any of this is not given or
/// refused, everything stays as it was. Throws nothing but std::bad_alloc. Once, before any group is made and any other
/// process is started: it would be in the own group too.
Delegation take_delegation(const ControlGroupPlaces& places = {});

}  // namespace toolwire::bridge
