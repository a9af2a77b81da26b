#include "lines/many.hpp"

#include <string>
#include <vector>

namespace toolwire::bench {

void send_calls(Session& session, CallLine& call, Id first, std::size_t count) {
  std::string lines;
  for (std::size_t i = 0; i < count; ++i) lines.append(call.with_id(first + static_cast<Id>(i)));
  session.wire().send(lines);
}

void take_answers(Session& session, Id first, std::size_t count) {
  using namespace std::chrono_literals;
  std::vector<bool> open(count, true);
  for (std::size_t left = count; left > 0;) {
    const auto line = session.wire().line_before(Clock::now() + 10s);
    if (!line) throw MeasureFailed("calls were left without an answer: " + std::to_string(left));
    const auto id = answered_id(*line);
    if (!id) continue;
    const std::size_t index = *id - first;
    if (*id < first || index >= count || !open[index] || is_refusal(*line))
      throw MeasureFailed("not the answer to a call that is open: " + std::string(line->substr(0, 200)));
    open[index] = false;
    --left;
  }
}

}  // namespace toolwire::bench
