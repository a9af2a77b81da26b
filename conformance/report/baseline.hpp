// Known failures: a run fails for new ones only. A JSON object:
//   {"known": [{"check": "ping-prompt", "revision": "2025-11-25", "verdict": "FAIL"}, …]}
#pragma once

#include <string>
#include <vector>

#include "checks/runner.hpp"
#include "report/report.hpp"

namespace toolwire::conformance {

/// Throws std::invalid_argument naming the entry that is none.
std::vector<KnownFailure> read_baseline(const Json& json);

/// Marks the findings the baseline lists; one that became worse (WARN to FAIL) is not known. Returns the entries that
/// were judged (their check passed) and not found any more.
std::vector<KnownFailure> apply_baseline(const std::vector<KnownFailure>& baseline, std::vector<Finding>& findings);

/// What fails now, as the text of such a file.
std::string baseline_text(const std::vector<Finding>& findings);

}  // namespace toolwire::conformance
