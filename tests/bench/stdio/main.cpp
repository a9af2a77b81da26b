// toolwire-bench-stdio: measures stdio servers beside two raw C loops. See ../README.md for what each line means.
#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <csignal>
#include <cstdio>
#include <filesystem>
#include <fstream>

#include "bench/measures.hpp"
#include "bench/report.hpp"
#include "bench/rounds.hpp"

namespace toolwire::bench {

namespace {

constexpr const char* raw_name = "raw";
constexpr const char* batched_name = "raw-batched";

struct Options {
  std::vector<std::string> servers;
  std::vector<std::string> only;
  std::string raw, raw_batched, json_file;
  int rounds = 0;
  std::size_t text_size = Effort{}.text_size;
  bool quick = false, show_stderr = false;
};

std::string beside_this_program(const char* name) {
  return "'" + (std::filesystem::read_symlink("/proc/self/exe").parent_path() / name).string() + "'";
}

void declare(CLI::App& app, Options& options) {
  options.raw = beside_this_program("toolwire-bench-raw-echo");
  options.raw_batched = beside_this_program("toolwire-bench-raw-echo-batched");
  app.add_option("servers", options.servers, "Servers to measure, each NAME=COMMAND");
  app.add_option("--rounds", options.rounds, "Rounds; the median counts (default 3, with --quick 1)")
      ->check(CLI::Range(1, 1000));
  app.add_flag("--quick", options.quick, "A short run that shows that all works; its numbers prove nothing");
  app.add_option("--json", options.json_file, "Also write every round's values to this file");
  app.add_option("--only", options.only, "Only this measure; repeatable, or several with commas")
      ->delimiter(',')
      ->allow_extra_args(false)
      ->check(CLI::IsMember(measure_names()));
  app.add_option("--text", options.text_size, "Bytes of text in a small call (default 64)")->check(CLI::Range(1, 4000));
  app.add_option("--raw", options.raw, "Command of the raw loop with one write an answer");
  app.add_option("--raw-batched", options.raw_batched, "Command of the raw loop with batched writes");
  app.add_flag("--show-stderr", options.show_stderr, "Let the servers write to this terminal's stderr");
}

std::vector<Candidate> candidates(const Options& options) {
  std::vector<Candidate> all = {{raw_name, split_command(options.raw), options.show_stderr},
                                {batched_name, split_command(options.raw_batched), options.show_stderr}};
  for (const auto& server : options.servers) {
    const auto sign = server.find('=');
    if (sign == std::string::npos || sign == 0)
      throw std::invalid_argument("expected NAME=COMMAND, found \"" + server + "\"");
    const auto name = server.substr(0, sign);
    const auto same = [&name](const Candidate& other) { return other.name == name; };
    if (std::any_of(all.begin(), all.end(), same))
      throw std::invalid_argument("two servers are named \"" + name + "\"");
    all.push_back({name, split_command(server.substr(sign + 1)), options.show_stderr});
  }
  return all;
}

int measure(const Options& options) {
  const auto servers = candidates(options);
  auto effort = options.quick ? quick_effort() : Effort{};
  effort.text_size = options.text_size;
  Run about;
  about.raw = raw_name;
  about.raw_batched = batched_name;
  about.quick = options.quick;
  about.partial = !options.only.empty();
  about.rounds = options.rounds > 0 ? options.rounds : options.quick ? 1 : 3;
  for (const auto& server : servers) about.servers.push_back(server.name);

  Results results;
  bool complete = true;
  for (int round = 1; round <= about.rounds; ++round) {
    fmt::print(stderr, "round {} of {}\n", round, about.rounds);
    complete = run_round(servers, options.only, effort, results) && complete;
  }
  fmt::print("{}", table(about, results));
  if (!options.json_file.empty() && !(std::ofstream(options.json_file) << json_report(about, results)))
    throw std::runtime_error("cannot write " + options.json_file);
  return complete ? 0 : 1;
}

int run(int argc, char** argv) {
  CLI::App app{"Measures MCP stdio servers side by side with two raw C loops."};
  Options options;
  declare(app, options);
  CLI11_PARSE(app, argc, argv);
  return measure(options);
}

}  // namespace
}  // namespace toolwire::bench

int main(int argc, char** argv) {
  std::signal(SIGPIPE, SIG_IGN);
  try {
    return toolwire::bench::run(argc, argv);
  } catch (const std::exception& error) {
    std::fprintf(stderr, "toolwire-bench-stdio: %s\n", error.what());
    return 2;
  }
}
