// Known failures: a run fails for new ones only. A JSON object:
//   {"known": [{"check": "ping-prompt", "revision": "2025-11-25", "verdict": "FAIL",
//               "reason": "mended in 2.1 of the SDK", "expires": "2026-12-31"}, …]}
// "reason" and "expires" may be left out.
#pragma once

#include <chrono>
#include <string>
#include <string_view>
#include <vector>

#include "checks/runner.hpp"
#include "report/report.hpp"

namespace toolwire::conformance {

/// Throws std::invalid_argument naming the entry that is none, or the check that does not exist.
std::vector<KnownFailure> read_baseline(const Json& json);

struct BaselineChanges {
  std::vector<KnownFailure> mended = {};   // judged, and not found any more
  std::vector<KnownFailure> expired = {};  // found, but the day is over until which that was excused
};

/// Marks the findings the baseline lists; one that became worse (WARN to FAIL), or whose entry expired before `today`
/// ("2026-11-22"), is not known.
BaselineChanges apply_baseline(const std::vector<KnownFailure>& baseline, std::string_view today,
                               std::vector<Finding>& findings);

/// The day in UTC, "2026-11-22".
std::string day_of(std::chrono::system_clock::time_point time);

/// What fails now, as the text of such a file. Reasons and days of entries in `before` stay, and the entries of what
/// was not judged.
std::string baseline_text(const std::vector<Finding>& findings, const std::vector<KnownFailure>& before = {});

}  // namespace toolwire::conformance
