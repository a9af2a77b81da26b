// One cause, one finding: failures that the server has for one reason are told once, with whose code it is and what its
// users lose. It prints nothing.
#pragma once

#include <string>
#include <vector>

#include "catalogue/causes.hpp"
#include "catalogue/verdict.hpp"
#include "target/origin.hpp"

namespace toolwire::conformance {

/// Of one or several findings.
struct Cause {
  std::string id;    // that of its kind, and what makes it this one: "ends-by-itself tools/call"
  std::string says;  // "the process ends at input that is no message (exited with status 1)"
  std::string loses, fix;
  std::string owner;                // "@modelcontextprotocol/sdk 1.22.0 (TypeScript SDK)"; empty: it cannot be told
  std::string report;               // where its owner can read of it; empty: nowhere, as far as is known
  std::vector<std::string> checks;  // that failed of it, the one whose finding shows it first
};

/// Finds the causes of `findings`. Of each, in each revision, one finding stays what it is, with the worst verdict of
/// them; the others become a SKIP that names it. What is known to the baseline, or has no cause that is known, stays.
std::vector<Cause> find_causes(std::vector<Finding>& findings, const Origin& origin);

/// Null if the finding has none.
const Cause* cause_of(const std::vector<Cause>& causes, const Finding& finding);

}  // namespace toolwire::conformance
