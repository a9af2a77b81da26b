// Memory: after a million calls, and at its peak while a line of 64 MiB passes through.
#include "lines/memory.hpp"

#include <algorithm>
#include <cstdlib>
#include <fstream>
#include <string>

#include "lines/groups.hpp"
#include "lines/many.hpp"

namespace toolwire::bench {

Memory memory_of(pid_t process) {
  Memory result;
  std::ifstream rollup("/proc/" + std::to_string(process) + "/smaps_rollup");
  for (std::string line; std::getline(rollup, line);) {
    const auto megabytes = [&line] { return std::strtod(line.c_str() + line.find(':') + 1, nullptr) * 1024 / 1e6; };
    if (line.starts_with("Rss:")) result.resident_mb = megabytes();
    if (line.starts_with("Pss:")) result.proportional_mb = megabytes();
    if (line.starts_with("Private_")) result.own_mb += megabytes();
  }
  return result;
}

namespace {

constexpr double mebibyte = 1 << 20;
constexpr std::size_t max_line = 64u << 20;

void run_calls(Session& session, CallLine& call, std::size_t count) {
  constexpr std::size_t chunk = 250;
  for (std::size_t done = 0; done < count; done += chunk) {
    send_calls(session, call, first_call_id, chunk);
    take_answers(session, first_call_id, chunk);
  }
}

/// Sleeping tools make the server start all its threads, and the calls behind them give each thread work, so that all
/// memory the threads need is allocated before anything is measured.
void occupy_all_threads(Session& session, const Setting& setting, CallLine& call) {
  CallLine sleep = sleep_call(setting.ours.tools, 3);
  const std::size_t sleepers = setting.threads, calls = 250;
  for (int time = 0; time < (setting.quick ? 2 : 100); ++time) {
    send_calls(session, sleep, first_call_id, sleepers);
    send_calls(session, call, first_call_id + static_cast<Id>(sleepers), calls);
    take_answers(session, first_call_id, sleepers + calls);
  }
}

void measure_million(const Setting& setting, Board& board) {
  Session session(setting.ours);
  CallLine call = echo_call(setting.ours.tools, wire_text(TextKind::ascii, 64));
  occupy_all_threads(session, setting, call);
  run_calls(session, call, setting.quick ? 1000 : 300'000);
  const double before = memory_of(session.child().pid()).resident_mb;
  run_calls(session, call, setting.quick ? 1000 : 1'000'000);
  const double after = memory_of(session.child().pid()).resident_mb;
  board.add("million-calls", after - before, {{"before MB", before}, {"after MB", after}});
}

/// The peak of a process through which one line of this kind of text has passed, in MiB.
double peak_of_line(const Setting& setting, TextKind kind) {
  Session session(setting.ours);
  const std::size_t length = setting.quick ? max_line / 16 : max_line;
  const std::size_t around = echo_call(setting.ours.tools, "").with_id(first_call_id).size() - 1;
  std::string text = wire_text(kind, length - around);
  while (text.size() > length - around)
    text = wire_text(kind, length - around - (text.size() - (length - around)) - 64);
  CallLine call = echo_call(setting.ours.tools, text);
  const auto answer = session.ask(call.with_id(first_call_id), first_call_id);
  if (is_refusal(answer.substr(0, 200)) || answer.size() < text.size())
    throw MeasureFailed("a long line was not echoed: " + std::string(answer.substr(0, 200)));
  return session.child().footprint().peak_mb * 1e6 / mebibyte;
}

void measure_longest_line(const Setting& setting, Board& board) {
  const double plain = peak_of_line(setting, TextKind::ascii), escapes = peak_of_line(setting, TextKind::escapes),
               utf8 = peak_of_line(setting, TextKind::utf8);
  board.add("longest-line", std::max({plain, escapes, utf8}),
            {{"letters MiB", plain}, {"escapes MiB", escapes}, {"UTF-8 MiB", utf8}});
}

}  // namespace

// One megabyte is one byte a call: less than the smallest leak, more than a thread allocates for its first work.
const Group& million_group() {
  static const Group group = {{{"million-calls", "growth of its memory over a million calls", Bound::at_most, 1, "MB"}},
                              measure_million};
  return group;
}

const Group& longest_line_group() {
  static const Group group = {
      {{"longest-line", "peak while a line of 64 MiB comes in and goes out", Bound::at_most, 3 * 64 + 16, "MiB"}},
      measure_longest_line};
  return group;
}

}  // namespace toolwire::bench
