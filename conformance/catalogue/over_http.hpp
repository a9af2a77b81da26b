// Which requirements are not judged over HTTP, and why: catalogue/over_http.json, by check or group; of some checks by
// revision. Those of the group `http` are judged over nothing else.
#pragma once

#include <string>
#include <string_view>

#include "catalogue/catalogue.hpp"

namespace toolwire::conformance {

inline constexpr std::string_view http_group = "http";

/// "" if it is judged.
std::string_view why_not_over_http(const Requirement& requirement, std::string_view revision);

}  // namespace toolwire::conformance
