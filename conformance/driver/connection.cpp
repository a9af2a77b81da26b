#include "driver/connection.hpp"

#include <algorithm>

#include "driver/interruption.hpp"

namespace toolwire::conformance {
namespace {

constexpr std::chrono::milliseconds look_for_run_end_every{100};

}  // namespace

bool Connection::pump(Clock::time_point until, const std::function<bool()>& done) {
  const bool met = move_bytes(until, done);
  if (!met && Clock::now() >= until) ++unmet_waits_;
  return met;
}

void Connection::listen(std::chrono::milliseconds time) {
  move_bytes(Clock::now() + time, [this] { return output_ended(); });
}

bool Connection::move_bytes(Clock::time_point until, const std::function<bool()>& done) {
  while (!done()) {
    if (run_end() != RunEnd::none) throw RunEnded{};
    const auto left = std::chrono::duration_cast<std::chrono::milliseconds>(until - Clock::now());
    if (left.count() <= 0) return false;
    if (!move_what_comes(std::min(left, look_for_run_end_every))) return done();
  }
  return true;
}

}  // namespace toolwire::conformance
