// Many small calls at a time, and large ones in sequence.
#include <string>
#include <utility>

#include "bench/measures.hpp"

namespace toolwire::bench {
namespace {

constexpr std::size_t window_size = 64;
constexpr std::size_t mebibyte = std::size_t{1} << 20;

/// Keeps `window_size` calls outstanding; answers may come in any order. One thread.
class Window {
 public:
  Window(Session& session, CallLine call) : session_(session), call_(std::move(call)), outstanding_(4'000'000) {}

  /// Runs for `time`, waits for the last answer and returns the calls answered a second.
  double run(Clock::duration time) {
    const auto start = Clock::now();
    const auto calls_before = answered_;
    send(window_size);
    while (Clock::now() - start < time) send(take_answers());
    while (answered_ < sent_) take_answers();
    return static_cast<double>(answered_ - calls_before) / seconds(Clock::now() - start);
  }

  std::size_t answered() const { return answered_; }

 private:
  void send(std::size_t calls) {
    batch_.clear();
    if (sent_ + calls > outstanding_.size()) outstanding_.resize(outstanding_.size() * 2);
    for (; calls > 0; --calls) {
      outstanding_[sent_] = 1;
      batch_.append(call_.with_id(first_call_id + static_cast<Id>(sent_++)));
    }
    session_.wire().send(batch_);
  }

  std::size_t take_answers() {
    std::size_t count = accept(session_.wire().line());
    while (const auto line = session_.wire().buffered_line()) count += accept(*line);
    return count;
  }

  // All answers are alike except for nine digits: one of another length is looked at closely.
  std::size_t accept(std::string_view line) {
    const auto id = answered_id(line);
    if (!id) return 0;
    const auto index = static_cast<std::size_t>(*id - first_call_id);
    if (*id < first_call_id || index >= sent_ || outstanding_[index] == 0)
      throw MeasureFailed("an answer to an id that is not outstanding: " + std::string(line.substr(0, 200)));
    outstanding_[index] = 0;
    if (line.size() != usual_length_ && is_refusal(line))
      throw MeasureFailed("a call was refused: " + std::string(line.substr(0, 200)));
    usual_length_ = line.size();
    ++answered_;
    return 1;
  }

  Session& session_;
  CallLine call_;
  std::string batch_;
  std::vector<unsigned char> outstanding_;
  std::size_t sent_ = 0;
  std::size_t answered_ = 0;
  std::size_t usual_length_ = 0;
};

// The text must come back as it was sent; a server may write letters beyond ASCII as \uXXXX, which is longer.
bool is_echo_of(std::string_view answer, std::string_view text, TextKind kind) {
  if (kind == TextKind::utf8) return answer.size() > text.size();
  return answer.find(text) != std::string_view::npos;
}

double large_echo_rate(Session& session, const Tools& tools, TextKind kind, Clock::duration time, Id& id) {
  const auto text = wire_text(kind, mebibyte);
  CallLine call = echo_call(tools, text);
  std::string first(session.ask(call.with_id(id), id));
  if (is_refusal(first) || !is_echo_of(first, text, kind))
    throw MeasureFailed("echo of 1 MiB did not answer with its text: " + first.substr(0, 200));
  for (const Id warm = ++id + 3; id < warm; ++id) session.ask(call.with_id(id), id);
  const auto start = Clock::now();
  double bytes = 0;
  do {
    const auto answer = session.ask(call.with_id(id), id);
    if (answer.size() != first.size()) throw MeasureFailed("echoes of one text differ in length");
    bytes += static_cast<double>(text.size());
    ++id;
  } while (Clock::now() - start < time);
  return bytes / 1e6 / seconds(Clock::now() - start);
}

}  // namespace

void measure_in_flight(const Candidate& candidate, const Effort& effort, Results& results) {
  Session session(candidate);
  if (!session.has_tool(candidate.tools.echo)) return;
  Window window(session, echo_call(candidate.tools, wire_text(TextKind::ascii, effort.text_size)));
  window.run(effort.in_flight / 8);
  const double cpu_before = session.child().cpu_microseconds();
  const auto calls_before = window.answered();
  results.add(Metric::in_flight_rate, candidate.name, window.run(effort.in_flight));
  const auto calls = static_cast<double>(window.answered() - calls_before);
  results.add(Metric::in_flight_cpu, candidate.name, (session.child().cpu_microseconds() - cpu_before) / calls);
  const auto footprint = session.child().footprint();
  results.add(Metric::resident_small, candidate.name, footprint.resident_mb);
  results.add(Metric::peak_small, candidate.name, footprint.peak_mb);
}

void measure_large(const Candidate& candidate, const Effort& effort, Results& results) {
  Session session(candidate);
  if (!session.has_tool(candidate.tools.echo)) return;
  Id id = first_call_id;
  results.add(Metric::large_ascii, candidate.name,
              large_echo_rate(session, candidate.tools, TextKind::ascii, effort.large, id));
  results.add(Metric::large_escapes, candidate.name,
              large_echo_rate(session, candidate.tools, TextKind::escapes, effort.large, id));
  results.add(Metric::large_utf8, candidate.name,
              large_echo_rate(session, candidate.tools, TextKind::utf8, effort.large, id));
  results.add(Metric::peak_large, candidate.name, session.child().footprint().peak_mb);
}

}  // namespace toolwire::bench
