// How a slow call delays the requests behind it. Every trial has a fresh server, so that no trial inherits threads of
// another.
#include <algorithm>
#include <chrono>
#include <string>
#include <thread>

#include "bench/measures.hpp"

namespace toolwire::bench {
namespace {

using namespace std::chrono_literals;

constexpr auto max_wait = 1000ms;  // answers that take longer count as this long
constexpr Id slow_id = first_call_id;
constexpr Id probe_id = first_call_id + 500;
constexpr double ten_seconds = 10'000;

/// When the probe follows the slow call: in the same write, or in one of its own after a pause.
struct Follows {
  bool same_write = false;
  Clock::duration pause{};
};

// While the server may still be waiting for the slow call to return (no pause), while it finds out that it does not
// (half a millisecond), and when it has long found out.
constexpr Follows in_same_write{.same_write = true};
constexpr Follows in_next_write{};
constexpr Follows soon_after{.pause = 500us};
constexpr Follows long_after{.pause = 20ms};

void pause_for(Clock::duration pause) {
  if (pause >= 5ms) return std::this_thread::sleep_for(pause);
  for (const auto until = Clock::now() + pause; Clock::now() < until;) continue;
}

void warm_up(Session& session) {
  for (Id id = 10; id < 20; ++id) session.ask(ping_line(id), id);
}

double delay_until_answer(Session& session, Time since, Id id) {
  const auto answer = session.answer_before(id, since + max_wait);
  if (!answer) return milliseconds(max_wait);
  if (is_refusal(*answer))
    throw MeasureFailed("a call behind a slow one was refused: " + std::string(answer->substr(0, 200)));
  return milliseconds(Clock::now() - since);
}

double delay_behind_slow_call(const Candidate& candidate, const std::string& probe, Follows follows) {
  Session session(candidate);
  warm_up(session);
  const std::string slow(sleep_call(candidate.tools, ten_seconds).with_id(slow_id));
  if (follows.same_write) {
    const auto sent = Clock::now();
    session.wire().send(slow + probe);
    return delay_until_answer(session, sent, probe_id);
  }
  session.wire().send(slow);
  pause_for(follows.pause);
  const auto sent = Clock::now();
  session.wire().send(probe);
  return delay_until_answer(session, sent, probe_id);
}

struct DelayMetrics {
  Metric middle, worst;
};

void add_delays(const Candidate& candidate, Results& results, DelayMetrics metrics, const std::string& probe,
                const std::vector<Follows>& cases) {
  std::vector<double> delays;
  delays.reserve(cases.size());
  for (const auto follows : cases) delays.push_back(delay_behind_slow_call(candidate, probe, follows));
  results.add(metrics.middle, candidate.name, median(delays));
  results.add(metrics.worst, candidate.name, *std::max_element(delays.begin(), delays.end()));
}

double ping_behind_many(const Candidate& candidate) {
  Session session(candidate);
  warm_up(session);
  CallLine call = sleep_call(candidate.tools, 0.9);
  std::string lines;
  for (Id id = slow_id; id < slow_id + 64; ++id) lines.append(call.with_id(id));
  lines.append(ping_line(probe_id));
  const auto sent = Clock::now();
  session.wire().send(lines);
  return delay_until_answer(session, sent, probe_id);
}

// 64 sleeping calls hold every thread of a bounded server, so a quick call waits; all 64 are cancelled, and the time
// until the quick call is answered is what the server needs to free a thread. Nothing to see where the quick call is
// answered at once.
std::optional<double> time_to_free_threads(const Candidate& candidate) {
  Session session(candidate);
  warm_up(session);
  CallLine call = sleep_call(candidate.tools, ten_seconds);
  std::string calls;
  std::string cancellations;
  for (Id id = slow_id; id < slow_id + 64; ++id) {
    calls.append(call.with_id(id));
    cancellations.append(cancellation_line(id));
  }
  calls.append(add_call(candidate.tools).with_id(probe_id));
  session.wire().send(calls);
  if (session.answer_before(probe_id, Clock::now() + 100ms)) return std::nullopt;
  const auto sent = Clock::now();
  session.wire().send(cancellations);
  return delay_until_answer(session, sent, probe_id);
}

// A call that was freed holds up no end: the process exits at once instead of waiting for it.
double exit_after_cancel(const Candidate& candidate) {
  Session session(candidate);
  warm_up(session);
  session.wire().send(sleep_call(candidate.tools, ten_seconds).with_id(slow_id));
  pause_for(20ms);
  const auto sent = Clock::now();
  session.wire().send(cancellation_line(slow_id));
  session.child().close_input();
  if (!session.child().wait_for_exit(max_wait)) return milliseconds(max_wait);
  return milliseconds(Clock::now() - sent);
}

void note_answer_to_cancelled(const Candidate& candidate, Results& results) {
  Session session(candidate);
  session.wire().send(sleep_call(candidate.tools, ten_seconds).with_id(slow_id));
  pause_for(20ms);
  session.wire().send(cancellation_line(slow_id));
  if (session.answer_before(slow_id, Clock::now() + 50ms))
    results.note(candidate.name + ": answers a call that was cancelled");
}

}  // namespace

void measure_delays(const Candidate& candidate, const Effort& /*unused*/, Results& results) {
  Session session(candidate);
  if (!session.has_tool(candidate.tools.sleep)) return;
  const bool adds = session.has_tool(candidate.tools.add);
  session.child().kill();
  const std::vector<Follows> cases = {in_same_write, in_next_write, soon_after, long_after};
  add_delays(candidate, results, {Metric::ping_behind, Metric::ping_behind_worst}, ping_line(probe_id), cases);
  results.add(Metric::ping_behind_many, candidate.name, ping_behind_many(candidate));
  if (!adds) return;
  const std::string add(add_call(candidate.tools).with_id(probe_id));
  add_delays(candidate, results, {Metric::add_behind, Metric::add_behind_worst}, add, cases);
}

void measure_cancellation(const Candidate& candidate, const Effort& /*unused*/, Results& results) {
  Session session(candidate);
  if (!session.has_tool(candidate.tools.sleep)) return;
  const bool adds = session.has_tool(candidate.tools.add);
  session.child().kill();
  // A cancelled call is not answered; the answer to a ping sent in the same write shows that the cancellation was acted
  // on.
  const auto cancellation = cancellation_line(slow_id) + ping_line(probe_id);
  add_delays(candidate, results, {Metric::cancel_behind, Metric::cancel_behind_worst}, cancellation,
             {in_next_write, soon_after, long_after});
  results.add(Metric::exit_after_cancel, candidate.name, exit_after_cancel(candidate));
  note_answer_to_cancelled(candidate, results);
  if (!adds) return;
  if (const auto freed = time_to_free_threads(candidate)) results.add(Metric::freed_by_cancel, candidate.name, *freed);
}

}  // namespace toolwire::bench
