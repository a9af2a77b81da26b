#include "report/junit_report.hpp"

#include <fmt/format.h>

#include <toolwire/text.hpp>

#include "driver/revision.hpp"
#include "report/safe_text.hpp"

namespace toolwire::conformance {
namespace {

constexpr std::size_t kept_text = std::size_t{16} << 10;

std::string markup(std::string_view text) { return text::markup(shortened(text, kept_text)); }

std::string seconds(std::chrono::milliseconds time) {
  return fmt::format("{:.3f}", static_cast<double>(time.count()) / 1000);
}

std::string explanation(const Report& report, const Finding& it) {
  const Cause* cause = cause_of(report.causes, it);
  if (cause == nullptr) return fmt::format("why: {}\nfix: {}\n", it.requirement->why, it.requirement->fix);
  std::string text = fmt::format("cause: {}\nloses: {}\nfix: {}\n", cause->says, cause->loses, cause->fix);
  if (!cause->owner.empty()) text += fmt::format("owner: {} {}\n", cause->owner, cause->report);
  return text;
}

std::string details(const Report& report, const Finding& it) {
  return fmt::format("section: {}\nexpected: {}\ngot: {}\n{}repeat: {}\n\n{}", it.requirement->section, it.expected,
                     it.got, explanation(report, it), repeat_command(report, it), shortened(it.transcript, kept_text));
}

std::string outcome(const Report& report, const Finding& it) {
  if (it.verdict == Verdict::pass) return "";
  if (it.verdict == Verdict::skip) return fmt::format("<skipped message=\"{}\"/>", markup(it.message));
  if (it.verdict == Verdict::info) return fmt::format("<system-out>{}</system-out>", markup(it.message));
  if (it.known)
    return fmt::format("<skipped message=\"known: {}\"/>",
                       markup(it.known_because.empty() ? it.got : it.known_because));
  const std::string text = markup(details(report, it));
  if (it.verdict == Verdict::warn && !report.strict)
    return fmt::format("<system-out>warning: {}\n{}</system-out>", markup(it.message), text);
  return fmt::format("<failure type=\"{}\" message=\"{}\">{}</failure>", markup(it.requirement->level_text),
                     markup(it.message), text);
}

std::string test_case(const Report& report, const Finding& it) {
  return fmt::format("    <testcase classname=\"{}.{}\" name=\"{}\" time=\"{}\">{}</testcase>\n", it.revision->name,
                     it.requirement->group, it.requirement->id, seconds(it.time), outcome(report, it));
}

std::string suite(const Report& report, const Revision& revision) {
  std::string cases;
  std::size_t all = 0;
  std::size_t failed = 0;
  std::size_t skipped = 0;
  for (const Finding& it : report.findings) {
    if (it.revision->name != revision.name) continue;
    cases += test_case(report, it);
    ++all;
    failed += !it.known && it.verdict >= (report.strict ? Verdict::warn : Verdict::fail) ? 1 : 0;
    skipped += it.verdict == Verdict::skip || it.known ? 1 : 0;
  }
  if (all == 0) return "";
  return fmt::format(
      "  <testsuite name=\"{}\" tests=\"{}\" failures=\"{}\" errors=\"0\" skipped=\"{}\">\n{}  </testsuite>\n",
      revision.name, all, failed, skipped, cases);
}

/// A reader of JUnit sees failures only, not the exit status.
std::string suite_of_the_run(const Report& report) {
  const auto failures = failures_of_the_run(report);
  if (failures.empty()) return "";
  std::string cases;
  for (const std::string& it : failures)
    cases +=
        fmt::format("    <testcase classname=\"run\" name=\"{0}\"><failure message=\"{0}\"/></testcase>\n", markup(it));
  return fmt::format(
      "  <testsuite name=\"run\" tests=\"{0}\" failures=\"{0}\" errors=\"0\" skipped=\"0\">\n{1}  </testsuite>\n",
      failures.size(), cases);
}

}  // namespace

std::string junit_report(const Report& report) {
  std::string suites = suite_of_the_run(report);
  for (const Revision& revision : revisions) suites += suite(report, revision);
  return fmt::format(
      "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<testsuites name=\"toolwire-conformance\" time=\"{}\">\n{}"
      "</testsuites>\n",
      seconds(report.time), suites);
}

}  // namespace toolwire::conformance
