// Two reports of one server, of before and after a change: what got worse, what was mended, what is judged no longer.
#pragma once

#include <string>
#include <vector>

#include <toolwire/json.hpp>

namespace toolwire::conformance {

/// Of one check in one revision. Without a report of its own, a check has the verdict "".
struct Change {
  std::string check, revision, before, after;
};

struct Comparison {
  std::vector<Change> worse = {};     // a failure now, or a worse one
  std::vector<Change> better = {};    // no failure any more, or a lesser one
  std::vector<Change> unjudged = {};  // passed or failed, and is a SKIP or missing now
  std::vector<Change> judged = {};    // was a SKIP or missing, and passes now
};

/// Of two reports of `--json`, as report.schema.json describes them. What is a SKIP for a cause that is told elsewhere
/// counts as the failure it would be. Throws std::invalid_argument naming what is no report.
Comparison compare_reports(const Json& before, const Json& after);

/// For people.
std::string text_of(const Comparison& comparison);

}  // namespace toolwire::conformance
