// The system calls a confined program is refused, as a program for seccomp. Made before the fork; put into force by
// apply.hpp.
#pragma once

#include <linux/filter.h>

#include <vector>

#include "confinement/confinement.hpp"

namespace toolwire::bridge {

/// Empty if nothing is confined. `landlock` is the version in force beside it: what that cannot refuse yet is refused
/// here. Throws std::system_error if the filter cannot be made.
std::vector<sock_filter> system_call_filter(const Confinement& confinement, int landlock);

}  // namespace toolwire::bridge
