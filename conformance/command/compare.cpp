#include "command/compare.hpp"

#include <cstdio>
#include <stdexcept>

#include "command/options.hpp"
#include "report/comparison.hpp"

namespace toolwire::conformance {
namespace {

constexpr const char* help =
    "usage: toolwire-conformance compare BEFORE.json AFTER.json\n"
    "Says which verdicts differ between two reports of --json.\n"
    "Exit status: 0 nothing got worse, 1 something did or is not judged any more, 2 a file is no report.\n";

}  // namespace

int compare(const std::vector<std::string>& arguments) {
  if (!arguments.empty() && (arguments.front() == "--help" || arguments.front() == "-h")) throw UsageEnd(0, help);
  if (arguments.size() != 2) throw UsageEnd(2, help);
  const Json before = read_json_file(arguments[0], "compare");
  const Json after = read_json_file(arguments[1], "compare");
  try {
    const Comparison comparison = compare_reports(before, after);
    std::fputs(text_of(comparison).c_str(), stdout);
    return comparison.worse.empty() && comparison.unjudged.empty() ? 0 : 1;
  } catch (const std::invalid_argument& error) {
    throw UsageEnd(2, std::string("compare: ") + error.what());
  }
}

}  // namespace toolwire::conformance
