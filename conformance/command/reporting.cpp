#include "command/reporting.hpp"

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <functional>
#include <toolwire/system/standard_streams.hpp>

#include "command/output_files.hpp"
#include "driver/interruption.hpp"
#include "report/badge.hpp"
#include "report/github_report.hpp"
#include "report/html_report.hpp"
#include "report/json_report.hpp"
#include "report/junit_report.hpp"
#include "report/sarif_report.hpp"
#include "report/terminal_report.hpp"

namespace toolwire::conformance {
namespace {

using system::StandardStream;

constexpr int interrupted_status = 130;  // as shells have it of SIGINT

bool wants_colour(const Options& options, StandardStream stream) {
  if (options.colour != Options::Colour::automatic) return options.colour == Options::Colour::always;
  const char* no_colour = std::getenv("NO_COLOR");
  const char* terminal = std::getenv("TERM");
  return system::is_terminal(stream) && (no_colour == nullptr || *no_colour == '\0') &&
         (terminal == nullptr || std::string_view(terminal) != "dumb");
}

std::vector<KnownFailure> known_failures(const Options& options) {
  if (options.baseline.empty() || (options.write_baseline && !std::filesystem::exists(options.baseline))) return {};
  try {
    return read_baseline(read_json_file(options.baseline, "--baseline"));
  } catch (const std::invalid_argument& error) {
    throw UsageEnd(2, options.baseline + ": " + error.what());
  }
}

/// The runner reads both streams of a step.
void write_for_github(const Report& report, FILE* stream) {
  std::fputs(github_annotations(report).c_str(), stream);
  const char* summary = std::getenv("GITHUB_STEP_SUMMARY");
  if (summary == nullptr || *summary == '\0') return;
  std::ofstream file(summary, std::ios::binary | std::ios::app);
  file << github_summary(report);
  file.close();
  if (!file) throw UsageEnd(2, std::string("cannot write ") + summary);
}

void write_reports(const Options& options, const Report& report) {
  const bool to_stdout = options.files.json == "-";
  FILE* people = to_stdout ? stderr : stdout;
  const std::string text = terminal_report(
      report, {.colour = wants_colour(options, to_stdout ? StandardStream::errors : StandardStream::output),
               .verbose = options.verbose});
  std::fwrite(text.data(), 1, text.size(), people);
  std::string unwritten;  // the first; the others are for somebody else, and may be written
  const auto write = [&](bool is_wanted, const std::function<void()>& how) {
    try {
      if (is_wanted) how();
    } catch (const UsageEnd& end) {
      if (unwritten.empty()) unwritten = end.what();
    }
  };
  const ReportFiles& files = options.files;
  write(!files.json.empty(), [&] { write_output(files.json, to_json_text(json_report(report)) + "\n"); });
  write(!files.junit.empty(), [&] { write_output(files.junit, junit_report(report)); });
  write(!files.html.empty(), [&] { write_output(files.html, html_report(report)); });
  write(!files.sarif.empty(), [&] { write_output(files.sarif, to_json_text(sarif_report(report)) + "\n"); });
  write(options.github, [&] { write_for_github(report, people); });
  write(!files.badge.empty(), [&] { write_output(files.badge, badge(report, files.badge)); });
  if (!unwritten.empty()) throw UsageEnd(2, unwritten);
}

/// Files are read for it, some of them programs: only if there is anything to explain.
void explain(Report& report) {
  const auto is_new = [](const Finding& it) { return it.verdict >= Verdict::warn && !it.known; };
  if (std::ranges::none_of(report.findings, is_new)) return;
  report.origin = origin_of(report.target.commands());
  report.causes = find_causes(report.findings, report.origin);
}

}  // namespace

std::vector<KnownFailure> prepare_reports(const Options& options, Clock::time_point begin) {
  report_when_interrupted();
  if (options.budget.count() > 0) end_run_at(begin + options.budget);
  auto known = known_failures(options);
  const ReportFiles& files = options.files;
  for (const std::string* file : {&files.json, &files.junit, &files.html, &files.badge, &files.sarif})
    check_writable(*file);
  if (options.write_baseline) check_writable(options.baseline);
  return known;
}

int finish(const Options& options, Report& report, const std::vector<KnownFailure>& known) {
  const RunEnd end = noticed_run_end();
  report.partial = text_of(end);
  const bool is_written = options.write_baseline && end == RunEnd::none;
  if (!options.write_baseline) {
    BaselineChanges changes = apply_baseline(known, day_of(std::chrono::system_clock::now()), report.findings);
    report.mended = std::move(changes.mended);
    report.expired = std::move(changes.expired);
  }
  if (is_written) write_output(options.baseline, baseline_text(report.findings, known));
  explain(report);
  write_reports(options, report);
  if (options.write_baseline && !is_written)
    std::fputs("the baseline was not written: the run ended before it was through\n", stderr);
  if (end == RunEnd::signal) return interrupted_status;
  if (options.write_baseline && !is_written) return 2;
  return options.write_baseline || !has_failed(report) ? 0 : 1;
}

}  // namespace toolwire::conformance
