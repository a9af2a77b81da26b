// Thousands of slow calls at once: how many threads, how much memory, and whether every call is answered or refused.
#include <algorithm>
#include <chrono>
#include <string>
#include <vector>

#include "bench/measures.hpp"

namespace toolwire::bench {
namespace {

using namespace std::chrono_literals;

constexpr auto sample_every = 10ms;
constexpr auto settle_time = 300ms;
constexpr auto max_silence = 5s;
constexpr Id ping_id = 50;

/// Answers and refusals counted by id, and the largest footprint seen meanwhile. One thread.
class Tally {
 public:
  Tally(Session& session, int calls) : session_(session), open_(static_cast<std::size_t>(calls), true) {}

  /// Sends one `sleep` for each call, in as few writes as the pipe allows.
  void send(CallLine call) {
    std::string lines;
    for (std::size_t i = 0; i < open_.size(); ++i) lines.append(call.with_id(first_call_id + static_cast<Id>(i)));
    session_.wire().send(lines);
  }

  /// Counts until all calls are done, `until` has passed, or nothing has come for `max_silence`.
  void count_until(Time until) {
    auto last_heard = Clock::now();
    while (done() < static_cast<int>(open_.size())) {
      const auto now = Clock::now();
      if (now >= until || now - last_heard > max_silence) return;
      sample();
      while (const auto line = session_.wire().line_before(std::min(until, now + sample_every))) {
        count(*line);
        last_heard = Clock::now();
        if (done() == static_cast<int>(open_.size()) || last_heard > now + sample_every) break;
      }
    }
  }

  void sample() {
    const auto seen = session_.child().footprint();
    threads_ = std::max(threads_, seen.threads);
    peak_mb_ = std::max(peak_mb_, seen.peak_mb);
  }

  int done() const { return answered_ + refused_; }
  int answered() const { return answered_; }
  int refused() const { return refused_; }
  int threads() const { return threads_; }
  double peak_mb() const { return peak_mb_; }

 private:
  void count(std::string_view line) {
    const auto id = answered_id(line);
    if (!id || *id < first_call_id) return;
    const std::size_t index = *id - first_call_id;
    if (index >= open_.size() || !open_[index])
      throw MeasureFailed("an answer to an id that is not outstanding: " + std::string(line.substr(0, 200)));
    open_[index] = false;
    ++(is_refusal(line) ? refused_ : answered_);
  }

  Session& session_;
  std::vector<bool> open_;
  int answered_ = 0;
  int refused_ = 0;
  int threads_ = 0;
  double peak_mb_ = 0;
};

// Calls that outlast the look at the process: nothing can be answered by doing the work.
void measure_held_calls(const Candidate& candidate, const Effort& effort, Results& results) {
  Session session(candidate);
  Tally tally(session, effort.flood);
  tally.send(sleep_call(candidate.tools, 10'000));
  const auto sent = Clock::now();
  session.wire().send(ping_line(ping_id));
  const auto answer = session.answer_before(ping_id, sent + 1000ms);
  results.add(Metric::flood_ping, candidate.name, answer ? milliseconds(Clock::now() - sent) : 1000);
  for (const auto until = Clock::now() + settle_time; Clock::now() < until;) {
    tally.sample();
    session.answer_before(ping_id, Clock::now() + sample_every);  // takes refusals from the pipe
  }
  results.add(Metric::flood_threads, candidate.name, tally.threads());
  results.add(Metric::flood_peak, candidate.name, tally.peak_mb());
}

// Calls that are slow but end: each must be answered or refused, once.
void measure_answers(const Candidate& candidate, const Effort& effort, Results& results) {
  Session session(candidate);
  Tally tally(session, effort.flood);
  tally.send(sleep_call(candidate.tools, 5));
  tally.count_until(Clock::now() + 60s);
  results.add(Metric::flood_answered, candidate.name, tally.answered());
  results.add(Metric::flood_refused, candidate.name, tally.refused());
  results.add(Metric::flood_lost, candidate.name, effort.flood - tally.done());
}

}  // namespace

void measure_flood(const Candidate& candidate, const Effort& effort, Results& results) {
  Session session(candidate);
  if (!session.has_tool(candidate.tools.sleep)) return;
  session.child().kill();
  measure_held_calls(candidate, effort, results);
  measure_answers(candidate, effort, results);
}

}  // namespace toolwire::bench
