// The checks of resources, each table in the file of its name (resources_<topic>.cpp).
#pragma once

#include "probe/check.hpp"

namespace toolwire::conformance {

std::span<const Check> resources_list_checks();
std::span<const Check> resources_read_checks();
std::span<const Check> resources_subscribe_checks();

}  // namespace toolwire::conformance
