// What a run found, as the reports need it: the findings, their totals, and how to repeat one of them. It prints
// nothing.
#pragma once

#include <array>
#include <chrono>
#include <cstddef>
#include <string>
#include <vector>

#include "catalogue/catalogue.hpp"
#include "catalogue/verdict.hpp"
#include "report/causes.hpp"
#include "target/target.hpp"

namespace toolwire::conformance {

/// A failure that its author knows of, as a baseline lists it.
struct KnownFailure {
  std::string check, revision;
  Verdict verdict = Verdict::fail;
  std::string reason = {};   // why it is known, for people
  std::string expires = {};  // the last day it excuses anything, "2026-12-31" (UTC); empty: none
  bool operator==(const KnownFailure&) const = default;
};

struct Report {
  const Target& target;
  bool strict = false;   // a WARN is a failure too
  bool of_host = false;  // a client is judged, and `target` is how it is started
  std::vector<Finding> findings = {};
  std::vector<KnownFailure> mended = {};         // in the baseline, but no longer found
  std::vector<KnownFailure> expired = {};        // in the baseline and found, but it excuses nothing any more
  std::vector<Cause> causes = {};                // of those findings that name one
  Origin origin = {};                            // whose code the server is
  std::vector<std::string> repeat_options = {};  // words of the command line that change what checks do
  std::chrono::milliseconds time{0};
  std::string partial = {};  // why the run ended before it was through; empty: it did not
};

/// How many findings of each verdict; those the baseline knows are counted as `known` instead of `warn` or `fail`.
struct Counts {
  std::array<std::size_t, 5> by_verdict{};
  std::size_t known = 0;
  std::size_t of(Verdict verdict) const { return by_verdict[static_cast<std::size_t>(verdict)]; }
  std::size_t all() const;
  void add(const Finding& finding);
};

Counts counts_of(const std::vector<Finding>& findings);

/// "312 passed, 2 failed, 1 warning, 40 skipped, 3 notes"; zero counts are left out, except "passed".
std::string text_of(const Counts& counts);

/// `serverInfo` of the first session that has one, or null.
const Json& server_info(const Target& target);

/// The shell command that runs just this check in this revision. Values of --env are not shown.
std::string repeat_command(const Report& report, const Finding& finding);

/// FAIL: something failed that the baseline does not excuse (where the run is strict, a WARN too), or the baseline is
/// out of date. Else PASS if anything passed, or the worst of what was found; SKIP: nothing could be judged.
Verdict outcome(const Report& report);

/// Whether the exit status says so: the outcome is FAIL or SKIP.
bool has_failed(const Report& report);

/// What an entry of the baseline that is out of date tells its author.
std::string out_of_date(const KnownFailure& entry);

/// What the run fails of beside its findings: entries that are out of date, or that nothing could be judged.
std::vector<std::string> failures_of_the_run(const Report& report);

/// Those that say the same of one check in several revisions, together: the newest revision first, then in their order.
using FindingGroup = std::vector<const Finding*>;
std::vector<FindingGroup> alike(const std::vector<Finding>& findings, Verdict verdict, bool known);

/// "2025-06-18, 2025-11-25"
std::string revisions_text(const FindingGroup& group);

/// "built on @modelcontextprotocol/sdk 1.22.0"; empty if nothing is known.
std::string text_of(const Origin& origin);

/// The other checks that failed of a finding's cause, with commas; empty if there are none.
std::string also_failed(const Cause& cause, const Finding& finding);

/// The version of this program.
std::string_view program_version();

}  // namespace toolwire::conformance
