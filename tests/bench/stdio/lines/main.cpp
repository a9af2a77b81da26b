// toolwire-bench-lines: compares our server with its performance targets ("lines"): for each its limit, what was
// measured and a verdict. See ../../README.md for what each line means.
#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>

#include "lines/groups.hpp"

namespace toolwire::bench {

namespace {

struct Options {
  std::vector<std::string> only;
  std::string typescript, json_file;
  int rounds = 0;
  bool quick = false, names = false;
};

std::filesystem::path beside_this_program(const char* name) {
  return std::filesystem::read_symlink("/proc/self/exe").parent_path() / name;
}

std::vector<Line> all_lines() {
  std::vector<Line> lines;
  for (const Group* group : groups()) lines.insert(lines.end(), group->lines.begin(), group->lines.end());
  return lines;
}

std::vector<std::string> line_names() {
  std::vector<std::string> names;
  for (const Line& line : all_lines()) names.emplace_back(line.name);
  return names;
}

void declare(CLI::App& app, Options& options) {
  app.add_option("--line", options.only, "Only this line; repeatable, or several with commas")
      ->delimiter(',')
      ->allow_extra_args(false)
      ->check(CLI::IsMember(line_names()));
  app.add_flag("--names", options.names, "Print the names of the lines and end");
  app.add_option("--rounds", options.rounds, "Rounds; the median counts (default 3, with --quick 1)")
      ->check(CLI::Range(1, 1000));
  app.add_option("--typescript", options.typescript,
                 "Command of a server of the TypeScript SDK to measure beside ours");
  app.add_option("--json", options.json_file, "Also write every round's values to this file");
  app.add_flag("--quick", options.quick, "A short run that shows that all works; its numbers prove nothing");
}

std::optional<Candidate> built(const char* program) {
  const auto path = beside_this_program(program);
  if (!std::filesystem::exists(path)) return std::nullopt;
  return Candidate{program, {path.string()}};
}

Candidate needed(const char* program) {
  if (auto candidate = built(program)) return std::move(*candidate);
  throw std::runtime_error(fmt::format("expected {} beside this program", program));
}

Setting setting_of(const Options& options) {
  Setting setting{.raw = needed("toolwire-bench-raw-echo"),
                  .batched = needed("toolwire-bench-raw-echo-batched"),
                  .ours = needed("toolwire-echo"),
                  .shared_libc = built("toolwire-echo-shared-libc"),
                  .all_shared = built("toolwire-echo-shared"),
                  .typescript = {},
                  .many_tools = needed("toolwire-many-tools").command.front(),
                  .quick = options.quick};
  if (!options.typescript.empty()) setting.typescript = Candidate{"typescript", split_command(options.typescript)};
  return setting;
}

bool wanted(const Options& options, const Line& line) {
  return options.only.empty() || std::find(options.only.begin(), options.only.end(), line.name) != options.only.end();
}

void run_round(const Options& options, const Setting& setting, Board& board) {
  for (const Group* group : groups()) {
    const auto asked_for = [&](const Line& line) { return wanted(options, line); };
    if (std::none_of(group->lines.begin(), group->lines.end(), asked_for)) continue;
    try {
      group->measure(setting, board);
    } catch (const std::runtime_error& error) {
      board.note(fmt::format("{} failed: {}", group->lines.front().name, error.what()));
    }
  }
}

std::string conditions(const Options& options, int rounds) {
  double load = 0;
  ::getloadavg(&load, 1);
  return fmt::format("Medians of {} round{}{}; load average {:.2f} before them.\n\n", rounds, rounds == 1 ? "" : "s",
                     options.quick ? " (quick: these numbers prove nothing)" : "", load);
}

int measure(const Options& options) {
  const Setting setting = setting_of(options);
  const int rounds = options.rounds > 0 ? options.rounds : options.quick ? 1 : 3;
  const std::string heading = conditions(options, rounds);
  Board board;
  for (int round = 1; round <= rounds; ++round) {
    fmt::print(stderr, "round {} of {}\n", round, rounds);
    run_round(options, setting, board);
  }
  auto lines = all_lines();
  std::erase_if(lines, [&](const Line& line) { return !wanted(options, line); });
  fmt::print("{}{}", heading, board.table(lines));
  if (!options.json_file.empty() && !(std::ofstream(options.json_file) << board.json(lines)))
    throw std::runtime_error("cannot write " + options.json_file);
  return board.complete() ? 0 : 1;
}

int run(int argc, char** argv) {
  CLI::App app{"Holds toolwire's server to the lines it is to reach, beside two raw C loops in the same run."};
  Options options;
  declare(app, options);
  CLI11_PARSE(app, argc, argv);
  if (!options.names) return measure(options);
  for (const auto& name : line_names()) fmt::print("{}\n", name);
  return 0;
}

}  // namespace
}  // namespace toolwire::bench

int main(int argc, char** argv) {
  std::signal(SIGPIPE, SIG_IGN);
  try {
    return toolwire::bench::run(argc, argv);
  } catch (const std::exception& error) {
    std::fprintf(stderr, "toolwire-bench-lines: %s\n", error.what());
    return 2;
  }
}
