// What many peers of one server cost, and what each notices of the others. Prints a table.
#include <CLI/CLI.hpp>
#include <cstdio>
#include <exception>
#include <fstream>
#include <functional>
#include <string>
#include <utility>
#include <vector>

#include "scenarios.hpp"

using namespace toolwire::bench;

namespace {

const std::vector<Line> lines{
    {"short-tools-ping", "64 peers with tools of 0.9 ms: a ping of another", Bound::at_most, 5, "ms"},
    {"long-tools-call", "a peer with 1 000 tools of 10 s: a call of another", Bound::at_most, 5, "ms"},
    {"deaf-peers-ping", "10 peers that read none of 160 MB made for them: a ping of another", Bound::at_most, 5, "ms"},
    {"deaf-peers-call", "the same: a call", Bound::at_most, 5, "ms"},
    {"large-strings-ping", "lines of 80 MB of letters: a ping of another", Bound::at_most, 5, "ms"},
    {"large-numbers-ping", "lines of 80 MB of numbers: the same", Bound::at_most, 5, "ms"},
    {"large-escapes-ping", "lines of 80 MB of escapes: the same", Bound::at_most, 5, "ms"},
    {"300-threads", "300 peers with calls in flight: threads", Bound::at_most, 12, ""},
    {"300-memory", "the same: resident memory", Bound::at_most, 20, "MB"},
    {"300-threads-after", "once they have left: threads", Bound::none, 0, ""},
    {"300-descriptors-after", "the same: descriptors more than before", Bound::at_most, 0, ""},
    {"connections-memory", "100 000 connections, one after the other: growth over the last 90 000", Bound::at_most, 1,
     "MB"},
    {"connections-descriptors", "the same: descriptors more than before", Bound::at_most, 0, ""}};

using Scenario = void (*)(Board&, const Amount&);
constexpr Scenario scenarios[] = {short_tools, long_tools,    peers_that_do_not_read,
                                  large_lines, three_hundred, one_after_the_other};

int run(int argc, char** argv) {
  CLI::App app{"What many peers of one server cost, and what each notices of the others"};
  int rounds = 3;
  bool quick = false;
  std::string json;
  app.add_option("--rounds", rounds, "Of all; the values are medians")->capture_default_str();
  app.add_flag("--quick", quick, "Little of everything: shows that it works");
  app.add_option("--json", json, "Write the values to this file too");
  CLI11_PARSE(app, argc, argv);
  const Amount amount = quick ? Amount{.pings = 5, .connections = 100, .megabytes = 1, .settle = 0} : Amount{};
  Board board;
  for (int round = 0; round < (quick ? 1 : rounds); ++round) {
    for (const Scenario measure : scenarios) measure(board, amount);
  }
  std::printf("%s", board.table(lines).c_str());
  if (!json.empty()) std::ofstream(json) << board.json(lines) << '\n';
  return board.complete() ? 0 : 1;
}

}  // namespace

int main(int argc, char** argv) {
  try {
    return run(argc, argv);
  } catch (const std::exception& error) {
    std::fprintf(stderr, "toolwire-bench-peers: %s\n", error.what());
    return 1;
  }
}
