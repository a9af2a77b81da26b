// The scenarios of the user's own as checks among the others.
#pragma once

#include <vector>

#include "checks/groups.hpp"
#include "scenario/scenario.hpp"

namespace toolwire::conformance {

/// From now on they are checks: listed, chosen, judged and reported as all are. Before the first run, listing or
/// choice. Throws std::invalid_argument for an id or a group that is taken.
void add_scenarios(std::vector<Scenario> scenarios);

/// The groups of those that were added.
std::vector<Group> groups_of_scenarios();

}  // namespace toolwire::conformance
