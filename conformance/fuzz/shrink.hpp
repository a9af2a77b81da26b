// The shortest lines that still do what many did.
#pragma once

#include <functional>
#include <string>
#include <vector>

namespace toolwire::conformance {

using Lines = std::vector<std::string>;

/// Takes away lines, then members, items and bytes of those left, as long as `still` says of what is left that it still
/// does it. `still` decides how often it is asked: once it has had enough it says no.
Lines shrink(Lines lines, const std::function<bool(const Lines&)>& still);

}  // namespace toolwire::conformance
