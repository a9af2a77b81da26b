// Runs the checks against a target, several groups at a time, and collects what they find. Prints nothing itself.
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "catalogue/verdict.hpp"
#include "target/target.hpp"

namespace toolwire::conformance {

struct Selection {
  std::vector<std::string> only = {};       // ids of checks or names of groups; empty: all
  std::vector<std::string> revisions = {};  // empty: all that are served
  bool quick = false;  // only requirements of the first priority, without slow groups, in the newest revision served
  bool fast_first = false;  // groups that take long come last: the run may end before it is through
  unsigned jobs = 0;        // sessions beside each other; 0: as the start of the server and idle cores allow
};

/// Throws std::invalid_argument naming what `only` or `revisions` does not know.
void check_selection(const Selection& selection);

/// The names of the revisions that are served and belong to the run.
std::vector<std::string> judged_revisions(const Target& target, const Selection& selection);

/// All findings in the order of the revisions and the catalogue. `progress` is called from one thread at a time after
/// each. Where the run is to end earlier (driver/interruption.hpp), what was not judged by then is a SKIP that says so.
/// `looked`: the sessions of the discovery, which the checks that only observe look at too; they end here.
std::vector<Finding> run_checks(const Target& target, const Selection& selection,
                                const std::function<void(const Finding&)>& progress,
                                std::vector<std::unique_ptr<Session>> looked = {});

}  // namespace toolwire::conformance
