// The group that is judged only where it is asked for (--fuzz).
#pragma once

#include <string_view>

namespace toolwire::conformance {

inline constexpr std::string_view fuzz_group = "fuzz";

}  // namespace toolwire::conformance
