// The report for GitHub Actions: annotations as commands of a workflow, and the summary of a step as Markdown. It makes
// texts and prints nothing.
#pragma once

#include <string>

#include "report/report.hpp"

namespace toolwire::conformance {

/// A line `::error …` or `::warning …` for each failure, those of several revisions together. GitHub shows ten of a
/// step: the worst stand first.
std::string github_annotations(const Report& report);

/// For the file that GITHUB_STEP_SUMMARY names.
std::string github_summary(const Report& report);

}  // namespace toolwire::conformance
