// Scenarios from a file of the user's. Whatever is not understood is an error: a step that does nothing proves nothing.
#pragma once

#include <string>
#include <vector>

#include "scenario/scenario.hpp"

namespace toolwire::conformance {

/// `name` is that of the file: the group of its scenarios, unless it gives one, is what is before the dot. Throws
/// std::invalid_argument: "/scenarios/0/steps/1/params: expected an object, found 3".
std::vector<Scenario> read_scenarios(const Json& file, const std::string& name);

}  // namespace toolwire::conformance
