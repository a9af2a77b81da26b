#include "command/bench.hpp"

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <cstdio>
#include <filesystem>

#include "bench/report.hpp"
#include "bench/rounds.hpp"
#include "command/bench_tools.hpp"
#include "command/option_parts.hpp"
#include "command/options.hpp"
#include "command/output_files.hpp"
#include "target/target.hpp"

namespace toolwire::conformance {
namespace {

constexpr const char* server_name = "server";
constexpr const char* raw_name = "raw";
constexpr const char* batched_name = "raw-batched";

struct BenchOptions {
  Target target;
  std::vector<std::string> only, allowed_tools, stray;
  std::string json_file, profile;
  int rounds = 0;
  std::size_t text_size = toolwire::bench::Effort{}.text_size;
  bool quick = false, show_stderr = false;
};

void declare(CLI::App& app, BenchOptions& options) {
  app.add_option("unexpected", options.stray)->group("");
  app.add_option("--rounds", options.rounds, "Rounds; the median counts (default 3, with --quick 1)")
      ->check(CLI::Range(1, 1000));
  app.add_flag("--quick", options.quick, "A short run that shows that all works; its numbers prove nothing");
  app.add_option("--json", options.json_file, "Also write every round's values to this file; - for standard output");
  app.add_option("--only", options.only, "Only this measure; repeatable, or several with commas")
      ->delimiter(',')
      ->allow_extra_args(false)
      ->check(CLI::IsMember(toolwire::bench::measure_names()));
  app.add_option("--text", options.text_size, "Bytes of text in a small call (default 64)")->check(CLI::Range(1, 4000));
  app.add_option("--profile", options.profile, "JSON file that names the server's tools for tool:echo and tool:slow");
  app.add_option("--allow-tool", options.allowed_tools,
                 "This tool may be called although it does not say readOnlyHint; repeatable, * for all")
      ->allow_extra_args(false);
  app.add_flag("--show-stderr", options.show_stderr, "Let the server write to this terminal's stderr");
}

BenchOptions read_bench_options(const std::vector<std::string>& arguments) {
  const auto separator = std::find(arguments.begin(), arguments.end(), "--");
  std::vector<std::string> ours(arguments.begin(), separator);
  BenchOptions options;
  if (separator != arguments.end()) options.target.launch.command.assign(separator + 1, arguments.end());
  CLI::App app{"Measures an MCP server on standard input and output in revision 2025-06-18.",
               "toolwire-conformance bench"};
  app.footer("The raw loops toolwire-bench-raw-echo are measured beside it where they stand beside this program.");
  declare(app, options);
  parse(app, std::move(ours));
  if (!options.stray.empty() || options.target.launch.command.empty())
    throw UsageEnd(2, "expected toolwire-conformance bench [options] -- SERVER [arguments]");
  options.target.allowed_tools.insert(options.allowed_tools.begin(), options.allowed_tools.end());
  if (!options.profile.empty()) options.target.profile = Profile(read_json_file(options.profile, "--profile"));
  return options;
}

/// The yardstick, if it was built beside this program.
void add_raw_loops(std::vector<toolwire::bench::Candidate>& servers, toolwire::bench::Run& about) {
  const auto folder = std::filesystem::read_symlink("/proc/self/exe").parent_path();
  const std::string raw = (folder / "toolwire-bench-raw-echo").string();
  const std::string batched = raw + "-batched";
  if (!std::filesystem::exists(raw) || !std::filesystem::exists(batched)) return;
  about.raw = raw_name;
  about.raw_batched = batched_name;
  servers.push_back({raw_name, {raw}, false});
  servers.push_back({batched_name, {batched}, false});
}

int measure(BenchOptions& options) {
  toolwire::bench::Results results;
  toolwire::bench::Run about;
  std::vector<toolwire::bench::Candidate> servers;
  add_raw_loops(servers, about);
  survey(options.target);
  auto tools = bench_tools(options.target);
  for (const std::string& note : tools.notes) results.note(note);
  servers.push_back({server_name, options.target.launch.command, options.show_stderr, std::move(tools.tools)});
  auto effort = options.quick ? toolwire::bench::quick_effort() : toolwire::bench::Effort{};
  effort.text_size = options.text_size;
  about.quick = options.quick;
  about.partial = !options.only.empty();
  about.rounds = options.rounds > 0 ? options.rounds : options.quick ? 1 : 3;
  for (const auto& server : servers) about.servers.push_back(server.name);
  bool complete = true;
  for (int round = 1; round <= about.rounds; ++round) {
    fmt::print(stderr, "round {} of {}\n", round, about.rounds);
    complete = run_round(servers, options.only, effort, results) && complete;
  }
  fmt::print(options.json_file == "-" ? stderr : stdout, "{}", table(about, results));
  if (!options.json_file.empty()) write_output(options.json_file, json_report(about, results));
  return complete ? 0 : 1;
}

}  // namespace

int bench(const std::vector<std::string>& arguments) {
  BenchOptions options = read_bench_options(arguments);
  check_writable(options.json_file);
  return measure(options);
}

}  // namespace toolwire::conformance
