#include "command/judge.hpp"

#include <chrono>
#include <toolwire/system/standard_streams.hpp>
#include <toolwire/text.hpp>

#include "command/reporting.hpp"
#include "driver/companion.hpp"
#include "driver/interruption.hpp"
#include "report/progress.hpp"
#include "target/discovery.hpp"
#include "target/start_up.hpp"

namespace toolwire::conformance {
namespace {

using system::StandardStream;

bool is_selected(const Selection& selection, const Finding& finding) {
  if (selection.only.empty() || finding.verdict == Verdict::fail) return true;
  for (const std::string& name : selection.only) {
    if (name == finding.requirement->id || name == finding.requirement->group) return true;
  }
  return false;
}

std::vector<Finding> findings_of(Options& options, Progress& progress) {
  progress.say("starting the server");
  try {
    survey(options.target);
  } catch (const RunEnded&) {
    return {};
  }
  std::vector<std::unique_ptr<Session>> looked;
  try {
    progress.say("looking at what it offers");
    looked = discover(options.target, judged_revisions(options.target, options.selection));
  } catch (const RunEnded&) {
    progress.erase();  // the checks will say so, one by one
  }
  std::vector<Finding> all;
  for (Finding& finding : start_up_findings(options.target, options.selection.revisions)) {
    if (is_selected(options.selection, finding)) all.push_back(std::move(finding));
  }
  const auto count = [&](const Finding& it) { progress.count(it); };
  for (Finding& finding : run_checks(options.target, options.selection, count, std::move(looked)))
    all.push_back(std::move(finding));
  return all;
}

/// Judged over HTTP, the server is one process for the whole run, if it is ours to start.
std::unique_ptr<Companion> companion_of(const Options& options) {
  const Launch& launch = options.target.launch;
  if (!launch.http) return nullptr;
  const bool is_there = launch.http->find();
  if (launch.command.empty()) return nullptr;
  if (is_there)
    throw UsageEnd(2, "something answers at " + launch.http->text() + " before " +
                          text::visible(launch.command.front()) +
                          " is started, and would be judged instead: end it, or leave out the command");
  Launch program = launch;
  program.http = nullptr;
  auto companion = std::make_unique<Companion>(program);
  try {
    companion->wait_until_it_answers(*launch.http, options.target.start_timeout);
  } catch (const std::runtime_error& error) {
    throw UsageEnd(2, error.what());
  }
  return companion;
}

}  // namespace

int judge(Options& options) {
  const auto begin = Clock::now();
  const auto known = prepare_reports(options, begin);
  const auto companion = companion_of(options);
  Report report{.target = options.target, .strict = options.strict, .repeat_options = options.repeat_options};
  {
    Progress progress(system::is_terminal(StandardStream::errors), write_progress);
    report.findings = findings_of(options, progress);
  }
  report.time = std::chrono::duration_cast<std::chrono::milliseconds>(Clock::now() - begin);
  return finish(options, report, known);
}

}  // namespace toolwire::conformance
