// How tools that take 10 s delay everything else: the worst of many trials counts.
#include <algorithm>
#include <thread>

#include "lines/groups.hpp"
#include "lines/many.hpp"

namespace toolwire::bench {
namespace {

using namespace std::chrono_literals;

constexpr Id sleeper = first_call_id;
constexpr Id waiter = first_call_id + 1000;
constexpr double ten_seconds = 10'000;

double until_answer(Session& session, std::string_view line, Id id) {
  const auto sent = Clock::now();
  session.wire().send(line);
  const auto answer = session.answer_before(id, sent + 1s);
  if (answer && is_refusal(*answer)) throw MeasureFailed("refused: " + std::string(answer->substr(0, 200)));
  return answer ? milliseconds(Clock::now() - sent) : 1000;
}

struct Pair {
  double first = 1000, second = 1000;
};

/// When each of two requests that were sent at `sent` was answered.
Pair until_both(Session& session, Time sent, Id first, Id second) {
  Pair delays;
  for (int left = 2; left > 0;) {
    const auto line = session.wire().line_before(sent + 1s);
    if (!line) break;
    const auto id = answered_id(*line);
    if (id != first && id != second) continue;
    (id == first ? delays.first : delays.second) = milliseconds(Clock::now() - sent);
    --left;
  }
  return delays;
}

struct Delays {
  std::vector<double> values;
  void add_to(Board& board, std::string_view line) const {
    board.add(line, *std::max_element(values.begin(), values.end()), {{"median ms", median(values)}});
  }
};

/// `inside` tools that take 10 s and, in the same write, `probe`. What comes later finds them all inside.
double fill(Session& session, const Setting& setting, unsigned inside, std::string_view probe, Id id) {
  std::string lines;
  CallLine call = sleep_call(setting.ours.tools, ten_seconds);
  for (Id i = 0; i < inside; ++i) lines.append(call.with_id(sleeper + i));
  const double delay = until_answer(session, lines.append(probe), id);
  std::this_thread::sleep_for(50ms);
  return delay;
}

void measure_with_a_free_thread(const Setting& setting, Board& board) {
  Session session(setting.ours);
  Delays pings, calls;
  Id id = waiter;
  board.add("fresh-ping", fill(session, setting, setting.threads - 1, ping_line(id), id), {});
  CallLine add = add_call(setting.ours.tools);
  for (int trial = 0; trial < (setting.quick ? 3 : 60); ++trial) {
    ++id;
    pings.values.push_back(until_answer(session, ping_line(id), id));
    ++id;
    calls.values.push_back(until_answer(session, add.with_id(id), id));
    std::this_thread::sleep_for(trial % 2 == 0 ? 3ms : 0ms);
  }
  pings.add_to(board, "slow-tools-ping");
  calls.add_to(board, "slow-tools-call");
}

/// All threads are inside, and a call waits: what follows the cancellation of one of them shows what it costs.
void measure_with_none_free(const Setting& setting, Board& board) {
  Session session(setting.ours);
  Delays pings, cancelled, freed;
  Id id = waiter;
  fill(session, setting, setting.threads, ping_line(id), id);
  CallLine add = add_call(setting.ours.tools), sleep = sleep_call(setting.ours.tools, ten_seconds);
  for (int trial = 0; trial < (setting.quick ? 3 : 60); ++trial) {
    const Id victim = sleeper + static_cast<Id>(trial);
    pings.values.push_back(until_answer(session, ping_line(id + 1), id + 1));
    session.wire().send(add.with_id(id + 2));
    const auto sent = Clock::now();
    session.wire().send(cancellation_line(victim) + ping_line(id + 3));
    const Pair delays = until_both(session, sent, id + 3, id + 2);
    cancelled.values.push_back(delays.first);
    freed.values.push_back(delays.second);
    session.wire().send(sleep.with_id(sleeper + static_cast<Id>(trial) + setting.threads));
    std::this_thread::sleep_for(3ms);
    id += 3;
  }
  pings.add_to(board, "full-ping");
  cancelled.add_to(board, "full-cancellation");
  freed.add_to(board, "full-freed");
}

void measure(const Setting& setting, Board& board) {
  measure_with_a_free_thread(setting, board);
  measure_with_none_free(setting, board);
}

}  // namespace

const Group& delay_group() {
  static const Group group = {
      {
          {"slow-tools-ping", "10 s tools in all threads but one: a ping", Bound::at_most, 5, "ms"},
          {"slow-tools-call", "the same: a call of another tool", Bound::at_most, 5, "ms"},
          {"fresh-ping", "a ping in one write with those calls, in a fresh process", Bound::at_most, 5, "ms"},
          {"full-ping", "10 s tools in all threads: a ping", Bound::at_most, 5, "ms"},
          {"full-cancellation", "the same: a cancellation and the ping behind it", Bound::at_most, 5, "ms"},
          {"full-freed", "the same: a cancellation until a waiting call is answered", Bound::at_most, 5, "ms"},
      },
      measure};
  return group;
}

}  // namespace toolwire::bench
