// An exchange for HTTP servers with a thread for each request: the thread waits here for the answer and sends it.
#pragma once

#include <chrono>
#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <toolwire/detail/condition_variable.hpp>
#include <toolwire/http/exchange.hpp>

namespace toolwire::http {

/// `head` and `next` are for the one thread that waits; it calls `closed` when its client has left.
class WaitingExchange final : public Exchange {
 public:
  /// Waits until the answer begins.
  Head head();
  /// Waits for more of the body, `time` at most: empty if there was none by then, nothing once it is over.
  std::optional<std::string> next(std::chrono::milliseconds time);

  void start(const Head& head) override;
  void write(std::string_view bytes) override;
  void finish() override;
  bool is_behind() const override;

 private:
  mutable Mutex mutex_;
  ConditionVariable changed_;
  std::optional<Head> head_ TOOLWIRE_GUARDED_BY(mutex_);
  std::string bytes_ TOOLWIRE_GUARDED_BY(mutex_);
  bool finished_ TOOLWIRE_GUARDED_BY(mutex_) = false;
};

}  // namespace toolwire::http
