// The checks of requests without a handshake (2026-07-28 basic), each table in the file of its name.
#pragma once

#include "probe/check.hpp"

namespace toolwire::conformance {

std::span<const Check> modern_discovery_checks();
std::span<const Check> modern_removed_checks();
std::span<const Check> modern_request_checks();
std::span<const Check> modern_version_checks();

}  // namespace toolwire::conformance
