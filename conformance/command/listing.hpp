// What --list and --explain print. It starts no server.
#pragma once

#include <set>
#include <string>
#include <string_view>
#include <vector>

namespace toolwire::conformance {

/// The ids of all requirements a check judges, passive ones and those of the start included.
const std::set<std::string_view>& checked_ids();

/// One line for each of these checks, by group.
std::string list_of_checks(const std::set<std::string_view>& ids = checked_ids());

/// All that is known of checks and groups; `ids`: those that are judged. Throws UsageEnd for a name that is neither.
std::string explanation_of(const std::vector<std::string>& names,
                           const std::set<std::string_view>& ids = checked_ids());

}  // namespace toolwire::conformance
