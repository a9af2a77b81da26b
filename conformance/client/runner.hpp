// Plays the cases with a host and judges what came of it: which are needed, in which revisions, beside each other and,
// where something failed, once more alone.
#pragma once

#include <functional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "catalogue/verdict.hpp"
#include "client/check.hpp"
#include "target/target.hpp"

namespace toolwire::conformance {

/// Which checks and revisions are wanted.
struct HostSelection {
  std::vector<std::string> only = {};       // ids of checks or names of groups; empty: all
  std::vector<std::string> revisions = {};  // empty: all that the host speaks
  unsigned jobs = 0;                        // starts that run beside each other; 0: as the cores allow
};

/// Of one host.
struct HostJudgement {
  std::vector<Finding> findings = {};
  HostTraits traits = {};
};

/// Throws std::invalid_argument for a name that is neither a check of hosts nor a group of them, or no revision.
void check_selection(const HostSelection& selection);

/// Puts the requirements of hosts into the catalogue (see add_requirement). Once.
void add_host_requirements();

/// The ids of all checks of hosts.
std::set<std::string_view> host_check_ids();

/// What is done now. Called by one thread at a time.
using Say = std::function<void(const std::string&)>;

/// What is known of a host before it is judged goes to `target`: the revisions it speaks, and what it calls itself.
/// `progress` is told of each finding, `say` of each case that was played. Throws std::runtime_error if the host starts
/// no server, std::system_error if it cannot be started itself.
HostJudgement judge_host(Host host, const HostSelection& selection, Target& target, const Say& say,
                         const std::function<void(const Finding&)>& progress);

}  // namespace toolwire::conformance
