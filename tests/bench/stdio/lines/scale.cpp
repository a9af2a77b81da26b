// Ten thousand calls in flight in one server; sixteen servers side by side, each with a client of its own.
#include <fcntl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <cstdlib>
#include <system_error>
#include <thread>

#include "lines/groups.hpp"
#include "lines/many.hpp"
#include "lines/memory.hpp"
#include "lines/slices.hpp"

namespace toolwire::bench {
namespace {

using namespace std::chrono_literals;

constexpr std::array<std::size_t, 3> amounts = {100, 1'000, 10'000};
constexpr int pairs = 16;

struct InFlight {
  double accept_us = 0;  ///< a call, until all are read and wait for a thread
  double answer_us = 0;  ///< a call, from the moment the threads are free until all are answered
  double resident_mb = 0;
};

/// Tools that take 10 s hold every thread while the calls pile up behind them; then these are cancelled.
InFlight pile_up(const Setting& setting, std::size_t calls) {
  Session session(setting.ours);
  std::string cancellations;
  CallLine sleep = sleep_call(setting.ours.tools, 10'000);
  constexpr Id sleeper = first_call_id + 100'000, ping = first_call_id + 200'000;
  for (Id id = sleeper; id < sleeper + setting.threads; ++id) cancellations.append(cancellation_line(id));
  send_calls(session, sleep, sleeper, setting.threads);
  std::this_thread::sleep_for(30ms);
  CallLine call = echo_call(setting.ours.tools, wire_text(TextKind::ascii, 64));
  const auto begin = Clock::now();
  send_calls(session, call, first_call_id, calls);
  session.ask(ping_line(ping), ping);
  const auto accepted = Clock::now();
  const double resident = memory_of(session.child().pid()).resident_mb;
  session.wire().send(cancellations);
  take_answers(session, first_call_id, calls);
  const auto count = static_cast<double>(calls);
  return {microseconds(accepted - begin) / count, microseconds(Clock::now() - accepted) / count, resident};
}

void measure_pile(const Setting& setting, Board& board) {
  std::array<double, amounts.size()> costs{};
  Figures figures;
  for (std::size_t i = 0; i < amounts.size(); ++i) {
    const InFlight seen = pile_up(setting, amounts[i]);
    costs[i] = seen.accept_us + seen.answer_us;
    const std::string name = std::to_string(amounts[i]) + " calls ";
    figures.emplace_back(name + "us to accept one", seen.accept_us);
    figures.emplace_back(name + "us to answer one", seen.answer_us);
    figures.emplace_back(name + "MB", seen.resident_mb);
  }
  board.add("calls-in-flight", costs[2] / costs[1], figures);
}

struct PairResult {
  double calls_a_second = 0;
  double resident_mb = 0;
};

/// In a process of its own, so that clients disturb each other no more than separate processes do.
PairResult measure_pair(const Candidate& candidate, const Effort& effort) {
  Results results;
  measure_in_flight(candidate, effort, results);
  return {best_of(results, Metric::in_flight_rate, candidate, Better::larger),
          best_of(results, Metric::resident_small, candidate, Better::smaller)};
}

pid_t start_pair(const Candidate& candidate, const Effort& effort, int report_to) {
  const pid_t process = ::fork();
  if (process < 0) throw std::system_error(errno, std::generic_category(), "fork");
  if (process > 0) return process;
  bool reported = false;
  try {
    const PairResult result = measure_pair(candidate, effort);
    reported = ::write(report_to, &result, sizeof result) == static_cast<ssize_t>(sizeof result);
  } catch (const std::exception&) {
    reported = false;  // the parent sees that a report is missing
  }
  ::_exit(reported ? 0 : 1);
}

/// The sum of what all pairs do. Throws MeasureFailed if one of them failed.
PairResult run_pairs(const Candidate& candidate, const Effort& effort, int count) {
  std::array<int, 2> ends{};
  if (::pipe2(ends.data(), O_CLOEXEC) != 0) throw std::system_error(errno, std::generic_category(), "pipe");
  std::vector<pid_t> processes;
  processes.reserve(static_cast<std::size_t>(count));
  for (int i = 0; i < count; ++i) processes.push_back(start_pair(candidate, effort, ends[1]));
  ::close(ends[1]);
  PairResult sum, one;
  int reports = 0;
  while (::read(ends[0], &one, sizeof one) == static_cast<ssize_t>(sizeof one)) {
    sum.calls_a_second += one.calls_a_second;
    sum.resident_mb += one.resident_mb;
    ++reports;
  }
  ::close(ends[0]);
  for (const pid_t process : processes) ::waitpid(process, nullptr, 0);
  if (reports != count) throw MeasureFailed(candidate.name + ": a server side by side with others failed");
  return sum;
}

void measure_side_by_side(const Setting& setting, Board& board) {
  Effort effort = setting.quick ? quick_effort() : Effort{};
  const int count = setting.quick ? 2 : pairs;
  const PairResult batched = run_pairs(setting.batched, effort, count);
  const PairResult alone = run_pairs(setting.ours, effort, 1);
  const PairResult ours = run_pairs(setting.ours, effort, count);
  board.add("side-by-side", ours.calls_a_second / alone.calls_a_second,
            {{"16 batched calls/s", batched.calls_a_second},
             {"16 ours calls/s", ours.calls_a_second},
             {"1 ours calls/s", alone.calls_a_second},
             {"16 ours MB", ours.resident_mb}});
}

}  // namespace

const Group& many_calls_group() {
  static const Group group = {
      {{"calls-in-flight", "10 000 calls wait at once: cost a call / that of 1 000", Bound::at_most, 3, "x"}},
      measure_pile};
  return group;
}

const Group& side_by_side_group() {
  static const Group group = {
      {{"side-by-side", "16 servers with 16 clients, calls/s of all / of one pair", Bound::at_least, 1, "x"}},
      measure_side_by_side};
  return group;
}

}  // namespace toolwire::bench
