#include "command/options.hpp"

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <charconv>
#include <optional>
#include <sstream>
#include <system_error>

#include <toolwire/system/file_text.hpp>

#include "catalogue/catalogue.hpp"
#include "checks/fuzz.hpp"
#include "checks/own_scenarios.hpp"
#include "command/option_parts.hpp"
#include "driver/http_server.hpp"
#include "driver/revision.hpp"
#include "report/report.hpp"
#include "report/safe_text.hpp"
#include "scenario/read_scenarios.hpp"

namespace toolwire::conformance {
namespace {

constexpr const char* about =
    "Judges an MCP server on standard input and output, or over HTTP: starts it, speaks every published revision with\n"
    "it, and says what is wrong, why it matters and how to mend it.";
constexpr const char* ending =
    "Exit status: 0 nothing failed, 1 something failed or nothing was judged, 2 the command line or a file makes no "
    "sense or the server\n"
    "cannot be started.\n"
    "toolwire-conformance client -- HOST judges a host instead; see client --help.\n"
    "toolwire-conformance lint -- SERVER, or lint FILE, says what hosts do with the tools' schemas; see lint --help.\n"
    "toolwire-conformance bench -- SERVER measures the server instead; see bench --help.\n"
    "toolwire-conformance compare BEFORE.json AFTER.json says what has changed between two reports.";

/// What CLI11 fills in, before it is checked and put into Options.
struct Given {
  std::vector<std::string> only, scenarios, revisions, explained, allowed_tools, variables, headers, other_headers,
      stray;
  double timeout = 0, start_timeout = 0, budget = 0;
  std::string profile, url;
  std::optional<std::string> seed;
  double fuzz_time = 0;
  bool list = false;
  Colours colours;
};

void declare_choice(CLI::App& app, Given& given, Options& options) {
  app.add_option("--only", given.only, "Only this check or group; repeatable, or several with commas")
      ->delimiter(',')
      ->allow_extra_args(false);
  app.add_option("--scenarios", given.scenarios,
                 "JSON file with scenarios of your own, which are judged with the checks; repeatable")
      ->allow_extra_args(false);
  app.add_option("--revision", given.revisions, "Only this revision of the protocol; repeatable")
      ->delimiter(',')
      ->allow_extra_args(false);
  app.add_option("--profile", given.profile, "JSON file that names the server's own tools for each kind of fixture");
  app.add_option("--allow-tool", given.allowed_tools,
                 "This tool may be called although it does not say readOnlyHint; repeatable, * for all")
      ->allow_extra_args(false);
  app.add_flag("--list", given.list, "List all checks and exit");
  app.add_option("--explain", given.explained, "Explain a check, or all of a group, and exit")->allow_extra_args(false);
  app.add_flag("--quick", options.selection.quick,
               "Only what most hosts rely on, in the newest revision served: some seconds");
  app.add_option("--budget", given.budget, "Seconds the run may take; then it reports what it has found")
      ->check(seconds_up_to(86400));
  app.add_option("--fuzz", given.seed,
                 "Conversations by chance as well, from this number on: the same number, the same conversations")
      ->type_name("SEED");
  app.add_option("--for", given.fuzz_time, "Seconds of --fuzz in each revision (default 10)")
      ->check(seconds_up_to(86400));
  app.add_flag("--patient", options.target.patient, "Include the checks that take a minute");
  app.add_option("--jobs", options.selection.jobs,
                 "Sessions that run beside each other (default: as the start of the server and idle cores allow)")
      ->check(CLI::Range(1, 64));
}

void declare_server(CLI::App& app, Given& given, Options& options) {
  app.add_option(
         "--http", given.url,
         "Judge the Streamable HTTP server at this http:// URL; a command behind -- starts it. For https:// put "
         "a proxy that ends TLS between")
      ->allow_extra_args(false);
  app.add_option("--header", given.headers, "NAME: VALUE, a header of every request of --http; repeatable")
      ->allow_extra_args(false);
  app.add_option("--other-header", given.other_headers,
                 "NAME: VALUE, in the place of --header for another caller, who may do less: what that one is told")
      ->allow_extra_args(false);
  app.add_option("--timeout", given.timeout, "Seconds an answer may take (default 5)")->check(seconds_up_to(3600));
  app.add_option("--start-timeout", given.start_timeout, "Seconds the first answer of a process may take (default 15)")
      ->check(seconds_up_to(3600));
  app.add_option("--env", given.variables, "NAME=VALUE for the server's environment; repeatable")
      ->allow_extra_args(false);
  app.add_option("--cwd", options.target.launch.directory, "Where the server runs (default: here)")
      ->check(CLI::ExistingDirectory);
}

HttpHeaders headers_of(const std::vector<std::string>& texts, const std::string& option, Options& options) {
  HttpHeaders headers;
  for (const std::string& text : texts) {
    const std::size_t colon = text.find(':');
    const bool has_name = colon != 0 && colon != std::string::npos;
    if (!has_name || text.substr(0, colon).find_first_of(" \t\r\n") != std::string::npos ||
        text.find_first_of("\r\n") != std::string::npos)
      throw UsageEnd(2, option + ": expected NAME: VALUE, found \"" + text + "\"");
    const std::size_t value = text.find_first_not_of(" \t", colon + 1);
    headers.emplace_back(text.substr(0, colon), value == std::string::npos ? "" : text.substr(value));
    // The value may be a secret, and reports are published.
    options.repeat_options.push_back(option + " " + shell_word(headers.back().first + ": …"));
  }
  return headers;
}

void take_http(const Given& given, Options& options) {
  if (given.url.empty()) {
    if (!given.headers.empty()) throw UsageEnd(2, "--header goes with --http");
    if (!given.other_headers.empty()) throw UsageEnd(2, "--other-header goes with --http");
    return;
  }
  if (given.headers.empty() && !given.other_headers.empty())
    throw UsageEnd(2, "--other-header: expected --header, too, in whose place it goes");
  try {
    HttpHeaders headers = headers_of(given.headers, "--header", options);
    HttpHeaders other = headers_of(given.other_headers, "--other-header", options);
    options.target.launch.http = std::make_shared<HttpServer>(given.url, std::move(headers), std::move(other));
  } catch (const std::invalid_argument& error) {
    throw UsageEnd(2, "--http " + given.url + ": " + error.what());
  }
  options.repeat_options.insert(options.repeat_options.begin(), "--http " + shell_word(given.url));
}

void take_profile(const Given& given, Options& options) {
  if (given.profile.empty()) return;
  try {
    options.target.profile = Profile(read_json_file(given.profile, "--profile"));
  } catch (const std::invalid_argument& error) {
    throw UsageEnd(2, given.profile + ": " + error.what());
  }
  options.repeat_options.push_back("--profile " + shell_word(given.profile));
}

void take_server(const Given& given, Options& options) {
  if (given.timeout > 0) {
    options.target.timeout = milliseconds_of(given.timeout);
    options.repeat_options.push_back(fmt::format("--timeout {}", given.timeout));
  }
  if (given.start_timeout > 0) {
    options.target.start_timeout = milliseconds_of(given.start_timeout);
    options.repeat_options.push_back(fmt::format("--start-timeout {}", given.start_timeout));
  }
  take_http(given, options);
  take_variables(given.variables, options);
  take_profile(given, options);
  for (const std::string& tool : given.allowed_tools) {
    options.target.allowed_tools.insert(tool);
    options.repeat_options.push_back("--allow-tool " + shell_word(tool));
  }
  if (options.target.patient) options.repeat_options.emplace_back("--patient");
  if (const std::string& directory = options.target.launch.directory; !directory.empty())
    options.repeat_options.push_back("--cwd " + shell_word(directory));
}

bool chooses(const Given& given, std::string_view group) {
  return std::ranges::any_of(given.only, [&](const std::string& name) {
    const Requirement* const requirement = find_requirement(name);
    return name == group || (requirement != nullptr && requirement->group == group);
  });
}

/// By hand: the library of options takes -1 for a large number.
std::uint64_t seed_of(const std::string& text) {
  std::uint64_t seed = 0;
  const char* const end = text.data() + text.size();
  const auto [stop, error] = std::from_chars(text.data(), end, seed);
  if (error == std::errc() && stop == end) return seed;
  throw UsageEnd(2, "--fuzz: expected a whole number from 0 to 18446744073709551615, found \"" + text + "\"");
}

void take_fuzzing(const Given& given, Options& options) {
  if (given.seed) {
    if (options.target.launch.http) throw UsageEnd(2, "--fuzz is about lines, and not for --http");
    if (options.selection.quick) throw UsageEnd(2, "--quick leaves out what takes long, and --fuzz is: choose one");
    if (!given.only.empty() && !chooses(given, fuzz_group))
      throw UsageEnd(2, "--fuzz: --only leaves it out; expected \"fuzz\" among its names");
    options.target.fuzzing = Fuzzing{.seed = seed_of(*given.seed)};
    if (given.fuzz_time > 0) options.target.fuzzing->time = milliseconds_of(given.fuzz_time);
    options.repeat_options.push_back("--fuzz " + *given.seed);
    if (given.fuzz_time > 0) options.repeat_options.push_back(fmt::format("--for {}", given.fuzz_time));
    return;
  }
  if (given.fuzz_time > 0) throw UsageEnd(2, "--for goes with --fuzz SEED");
  if (chooses(given, fuzz_group) && options.action == Options::Action::judge)
    throw UsageEnd(2, "--only fuzz: expected --fuzz SEED, which begins it");
}

void take_scenarios(const Given& given, Options& options) {
  for (const std::string& file : given.scenarios) {
    try {
      add_scenarios(read_scenarios(read_json_file(file, "--scenarios"), file));
    } catch (const std::invalid_argument& error) {
      throw UsageEnd(2, file + ": " + error.what());
    }
    options.repeat_options.push_back("--scenarios " + shell_word(file));
  }
}

void take_choice(const Given& given, Options& options) {
  options.selection.only = given.only;
  options.budget = milliseconds_of(given.budget);
  options.selection.fast_first = given.budget > 0;
  options.selection.revisions = given.revisions;
  options.explained = given.explained;
  if (given.list) options.action = Options::Action::list;
  if (!given.explained.empty()) options.action = Options::Action::explain;
  take_colours(given.colours, options);
  try {
    check_selection(options.selection);
  } catch (const std::invalid_argument& error) {
    throw UsageEnd(2, error.what());
  }
}

void check_sense(const Given& given, const Options& options) {
  if (!given.stray.empty())
    throw UsageEnd(2, "\"" + given.stray.front() + "\" is no option; the server's command stands behind --");
  if (options.selection.quick && options.target.patient)
    throw UsageEnd(2, "--quick leaves out what takes long, and --patient includes it: choose one");
  if (options.write_baseline && options.baseline.empty())
    throw UsageEnd(2, "--write-baseline: name the file with --baseline");
  const Launch& launch = options.target.launch;
  if (options.action == Options::Action::judge && launch.command.empty() && !launch.http)
    throw UsageEnd(
        2, "no server: toolwire-conformance [options] -- SERVER [arguments], or --http URL; --help explains all");
  if (launch.command.empty() && !(launch.environment.empty() && launch.directory.empty()))
    throw UsageEnd(2, "--env and --cwd are for a server that is started; its command stands behind --");
}

}  // namespace

Options read_options(const std::vector<std::string>& arguments) {
  const auto separator = std::find(arguments.begin(), arguments.end(), "--");
  std::vector<std::string> ours(arguments.begin(), separator);
  Options options;
  Given given;
  if (separator != arguments.end()) options.target.launch.command.assign(separator + 1, arguments.end());
  CLI::App app{about, "toolwire-conformance"};
  app.footer(ending);
  app.set_version_flag("--version", "toolwire-conformance " + std::string(program_version()));
  app.add_option("unexpected", given.stray)->group("");
  declare_choice(app, given, options);
  declare_server(app, given, options);
  declare_reports(app, given.colours, options);
  parse(app, std::move(ours));
  take_server(given, options);
  take_scenarios(given, options);
  take_choice(given, options);
  take_fuzzing(given, options);
  check_sense(given, options);
  return options;
}

}  // namespace toolwire::conformance
