// Plays a scenario with the server and judges it.
#pragma once

#include "probe/probe.hpp"
#include "scenario/scenario.hpp"

namespace toolwire::conformance {

/// Each connection is a run of the server of its own. Ends the check with the first expectation that is not met.
void play(Probe& probe, const Scenario& scenario);

}  // namespace toolwire::conformance
