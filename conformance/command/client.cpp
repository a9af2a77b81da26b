#include "command/client.hpp"

#include <CLI/CLI.hpp>
#include <algorithm>
#include <cstdio>

#include <fmt/format.h>
#include <toolwire/system/standard_streams.hpp>

#include "client/runner.hpp"
#include "command/listing.hpp"
#include "command/option_parts.hpp"
#include "command/reporting.hpp"
#include "report/progress.hpp"
#include "report/safe_text.hpp"

namespace toolwire::conformance {
namespace {

constexpr const char* client_about =
    "Judges a host or a client of MCP: starts it once for each case, with a server of the suite's own that plays well\n"
    "or badly, and says what is wrong, why it matters and how to mend it.\n\n"
    "  toolwire-conformance client -- node client.js {server}\n"
    "  toolwire-conformance client --profile call.json -- ./host --config {config}\n\n"
    "{server} stands for the words that start the server (inside a word: for one text), {config} for the name of a\n"
    "file with mcpServers; without both the words stand at the end. {call} stands for the words of the profile.";

constexpr const char* client_ending =
    "Exit status: 0 nothing failed, 1 something failed or nothing was judged, 2 the command line or a file makes no "
    "sense, or the host\n"
    "cannot be started or starts no server.";

struct ClientGiven {
  std::vector<std::string> only, revisions, explained, variables, stray;
  double timeout = 0, start_timeout = 0, watch = 0, budget = 0;
  unsigned jobs = 0;
  std::string profile;
  bool list = false;
  Colours colours;
};

void declare_choice(CLI::App& app, ClientGiven& given) {
  app.add_option("--only", given.only, "Only this check or group; repeatable, or several with commas")
      ->delimiter(',')
      ->allow_extra_args(false);
  app.add_option("--revision", given.revisions, "Only this revision of the protocol; repeatable")
      ->delimiter(',')
      ->allow_extra_args(false);
  app.add_flag("--list", given.list, "List all checks of hosts and exit");
  app.add_option("--explain", given.explained, "Explain a check, or all of a group, and exit")->allow_extra_args(false);
  app.add_option("--budget", given.budget, "Seconds the run may take; then it reports what it has found")
      ->check(seconds_up_to(86400));
  app.add_option("--jobs", given.jobs, "Starts of the host that run beside each other (default: one a core)")
      ->check(CLI::Range(1, 64));
}

void declare_host(CLI::App& app, ClientGiven& given, Options& options) {
  app.add_option("--profile", given.profile,
                 "JSON file that says how the host is told to call a tool: {\"call\": [\"--call\", \"{tool}\", "
                 "\"{arguments}\"]}");
  app.add_option("--timeout", given.timeout, "Seconds an answer of the host may take (default 3)")
      ->check(seconds_up_to(3600));
  app.add_option("--start-timeout", given.start_timeout, "Seconds until the host starts the server (default 15)")
      ->check(seconds_up_to(3600));
  app.add_option("--watch", given.watch, "Seconds for which a host that waits is watched (default 3)")
      ->check(seconds_up_to(3600));
  app.add_option("--env", given.variables, "NAME=VALUE for the host's environment; repeatable")
      ->allow_extra_args(false);
  app.add_option("--cwd", options.target.launch.directory, "Where the host runs (default: here)")
      ->check(CLI::ExistingDirectory);
}

/// A number of seconds, and the words that repeat it.
void take_seconds(double seconds, const char* option, std::chrono::milliseconds& time, Options& options) {
  if (seconds <= 0) return;
  time = milliseconds_of(seconds);
  options.repeat_options.push_back(fmt::format("{} {}", option, seconds));
}

HostProfile profile_of(const ClientGiven& given, Options& options) {
  if (given.profile.empty()) return {};
  options.repeat_options.push_back("--profile " + shell_word(given.profile));
  try {
    return HostProfile(read_json_file(given.profile, "--profile"));
  } catch (const std::invalid_argument& error) {
    throw UsageEnd(2, given.profile + ": " + error.what());
  }
}

Host host_of(const ClientGiven& given, Options& options) {
  Host host;
  host.profile = profile_of(given, options);
  take_seconds(given.timeout, "--timeout", host.wait, options);
  take_seconds(given.start_timeout, "--start-timeout", host.start_wait, options);
  take_seconds(given.watch, "--watch", host.watch, options);
  take_variables(given.variables, options);
  if (const std::string& directory = options.target.launch.directory; !directory.empty())
    options.repeat_options.push_back("--cwd " + shell_word(directory));
  host.launch = options.target.launch;
  return host;
}

void check_sense(const ClientGiven& given, const Options& options) {
  if (!given.stray.empty())
    throw UsageEnd(2, "client: \"" + given.stray.front() + "\" is no option; the host's command stands behind --");
  if (options.write_baseline && options.baseline.empty())
    throw UsageEnd(2, "client: --write-baseline: name the file with --baseline");
  if (options.target.launch.command.empty())
    throw UsageEnd(2, "client: no host: toolwire-conformance client [options] -- HOST [arguments]; client --help");
}

ClientGiven read(const std::vector<std::string>& arguments, Options& options) {
  const auto separator = std::find(arguments.begin(), arguments.end(), "--");
  if (separator != arguments.end()) options.target.launch.command.assign(separator + 1, arguments.end());
  ClientGiven given;
  CLI::App app{client_about, "toolwire-conformance client"};
  app.footer(client_ending);
  app.add_option("unexpected", given.stray)->group("");
  declare_choice(app, given);
  declare_host(app, given, options);
  declare_reports(app, given.colours, options);
  parse(app, {arguments.begin(), separator});
  take_colours(given.colours, options);
  options.budget = milliseconds_of(given.budget);
  return given;
}

HostSelection selection_of(const ClientGiven& given) {
  HostSelection selection{.only = given.only, .revisions = given.revisions, .jobs = given.jobs};
  try {
    check_selection(selection);
  } catch (const std::invalid_argument& error) {
    throw UsageEnd(2, std::string("client: ") + error.what());
  }
  return selection;
}

int judge_with(const ClientGiven& given, Options& options) {
  const auto begin = Clock::now();
  const HostSelection selection = selection_of(given);
  const Host host = host_of(given, options);
  const auto known = prepare_reports(options, begin);
  Report report{
      .target = options.target, .strict = options.strict, .of_host = true, .repeat_options = options.repeat_options};
  {
    Progress progress(system::is_terminal(system::StandardStream::errors), write_progress);
    const auto say = [&](const std::string& text) { progress.say(text); };
    const auto count = [&](const Finding& finding) { progress.count(finding); };
    report.findings = judge_host(host, selection, options.target, say, count).findings;
  }
  report.time = std::chrono::duration_cast<std::chrono::milliseconds>(Clock::now() - begin);
  return finish(options, report, known);
}

}  // namespace

int client(const std::vector<std::string>& arguments) {
  add_host_requirements();
  Options options;
  const ClientGiven given = read(arguments, options);
  if (given.list) {
    std::fputs(list_of_checks(host_check_ids()).c_str(), stdout);
    return 0;
  }
  if (!given.explained.empty()) {
    std::fputs(explanation_of(given.explained, host_check_ids()).c_str(), stdout);
    return 0;
  }
  check_sense(given, options);
  return judge_with(given, options);
}

}  // namespace toolwire::conformance
