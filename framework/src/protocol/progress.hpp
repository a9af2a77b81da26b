// notifications/progress of one call (all revisions, basic progress): strictly rising, at most so many a second, never
// after the answer, and the last report before the answer is always sent.
#pragma once

#include <chrono>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "protocol/exchange.hpp"
#include "toolwire/detail/mutex.hpp"

namespace toolwire::protocol {

/// Thread-safe. Shared by the tool's context and the timer that sends what was held back.
class Progress : public std::enable_shared_from_this<Progress> {
 public:
  /// `token_text`: the client's progress token as JSON text; `meta_text`: the `_meta` of its notifications, if any.
  Progress(std::shared_ptr<Connection> connection, std::shared_ptr<runtime::Call> call, const Revision& revision,
           std::string token_text, std::string meta_text);

  /// May wait while the client is far behind with reading.
  void report(double done, std::optional<double> total, std::string_view message);
  /// Sends what is held back. Before the call is answered.
  void send_held_back();

 private:
  using Clock = std::chrono::steady_clock;
  std::string line(double done, std::optional<double> total, std::string_view message) const;
  void send(std::string&& text) TOOLWIRE_REQUIRES(mutex_);
  void arm() TOOLWIRE_REQUIRES(mutex_);

  const std::shared_ptr<Connection> connection_;
  const std::shared_ptr<runtime::Call> call_;
  const Revision& revision_;
  const std::string token_text_;
  const std::string meta_text_;
  const Clock::duration interval_;
  Mutex mutex_;
  std::optional<double> last_ TOOLWIRE_GUARDED_BY(mutex_);
  std::string held_back_ TOOLWIRE_GUARDED_BY(mutex_);
  bool armed_ TOOLWIRE_GUARDED_BY(mutex_) = false;
  Clock::time_point next_ TOOLWIRE_GUARDED_BY(mutex_){};
};

/// The reporter of a call whose client asked for progress, else null. Throws -32602 if the token is neither string nor
/// integer.
std::shared_ptr<Progress> progress_of(const Exchange& exchange);

}  // namespace toolwire::protocol
