// Whether the bridge may make control groups, and where. The only code that moves the bridge itself to another group.
// Independent of programs and their limits.
#pragma once

#include <string>

namespace toolwire::bridge {

/// The system's files about control groups; tests use others. A plain value.
struct ControlGroupPlaces {
  std::string mounts = "/proc/self/mountinfo";
  std::string own = "/proc/self/cgroup";
};

/// A plain value.
struct Delegation {
  std::string folder = {};   ///< Where groups are made, with memory and processes counted; empty: nowhere.
  std::string why_not = {};  ///< If nowhere.
};

/// Checks whether this process is alone in its group and may make groups below it; if so, moves into a leaf, removes
/// groups of bridges that are gone, and tries to make a group. If any of this is not possible, everything stays as it
/// was. Throws nothing but std::bad_alloc. To be called once, before any group is made and any other process is
/// started, since that would be in the same group.
Delegation take_delegation(const ControlGroupPlaces& places = {});

}  // namespace toolwire::bridge
