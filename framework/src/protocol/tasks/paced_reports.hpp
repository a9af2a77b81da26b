// When a tool's report of progress becomes the status of its task: no more often than clients are advised to ask,
// because every state goes to the store. Of reports in quick succession the last one is taken. Values only: no clock.
#pragma once

#include <chrono>
#include <string>
#include <string_view>
#include <utility>

namespace toolwire::protocol {

class PacedReports {
 public:
  using Time = std::chrono::steady_clock::time_point;

  /// What to do about a report: take it now, ask again with `due` at `next()`, or nothing, because that is arranged.
  enum class Then { take, ask_again, nothing };
  Then say(std::string_view message, Time now) {
    message_ = message;
    if (now >= next_) return Then::take;
    return std::exchange(waits_, true) ? Then::nothing : Then::ask_again;
  }
  Time next() const { return next_; }

  /// Whether there is a report to take; the time to ask again has come.
  bool due() {
    waits_ = false;
    return !message_.empty();
  }

  /// The next is taken no sooner than `pause` from now.
  std::string take(Time now, std::chrono::milliseconds pause) {
    next_ = now + pause;
    return std::exchange(message_, {});
  }

 private:
  std::string message_;  // not yet taken
  bool waits_ = false;   // for `due`
  Time next_{};
};

}  // namespace toolwire::protocol
