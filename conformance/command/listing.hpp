// What --list and --explain print. It starts no server.
#pragma once

#include <set>
#include <string>
#include <string_view>
#include <vector>

namespace toolwire::conformance {

/// The ids of all requirements a check judges, passive ones and those of the start included.
const std::set<std::string_view>& checked_ids();

/// One line for each check, by group.
std::string list_of_checks();

/// All that is known of checks and groups. Throws UsageEnd for a name that is neither.
std::string explanation_of(const std::vector<std::string>& names);

}  // namespace toolwire::conformance
