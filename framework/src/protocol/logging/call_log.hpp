// notifications/message of one request (specification: server/utilities/logging): only what the client asked for, only
// between the request and its answer, and at most so many a second.
#pragma once

#include <atomic>
#include <chrono>
#include <cstddef>
#include <string>

#include "protocol/exchange.hpp"
#include "toolwire/detail/client_log.hpp"
#include "toolwire/detail/mutex.hpp"

namespace toolwire::protocol {

/// Thread-safe. Refers to the exchange, which must outlive it. Never sends anything unless a level was asked for: by
/// the request itself (2026-07-28), or by logging/setLevel on its connection (before; the specification leaves it to
/// the server what to send when none was set, and this one sends nothing).
class CallLog final : public detail::ClientLog {
 public:
  explicit CallLog(const Exchange& exchange);

  bool wants(LogLevel level) const noexcept override {
    return static_cast<unsigned char>(level) >= least_->load(std::memory_order_relaxed);
  }
  /// May wait while the client is far behind with reading.
  void log(LogLevel level, const Json& data, std::string_view logger) override;
  /// Says how many messages were dropped, if any were. Before the request is answered.
  void close();

 private:
  using Clock = std::chrono::steady_clock;
  bool may_send() TOOLWIRE_REQUIRES(mutex_);
  void send(LogLevel level, const Json& data, std::string_view logger) TOOLWIRE_REQUIRES(mutex_);
  void tell_dropped() TOOLWIRE_REQUIRES(mutex_);

  const Exchange& exchange_;
  std::atomic<unsigned char> own_level_;
  const std::atomic<unsigned char>* least_;
  Mutex mutex_;
  Clock::time_point second_began_ TOOLWIRE_GUARDED_BY(mutex_){};
  std::size_t sent_ TOOLWIRE_GUARDED_BY(mutex_) = 0;  // in this second
  std::atomic<std::size_t> dropped_{0};
};

}  // namespace toolwire::protocol
