// One call of a tool on its way back to its client, who may leave meanwhile. Independent of what is called.
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <stop_token>

#include <toolwire/http/exchange.hpp>
#include <toolwire/result.hpp>

#include "http/calls_under_way.hpp"
#include "http/message.hpp"
#include "toolwire/detail/mutex.hpp"

namespace toolwire::bridge::http {

/// Thread-safe. Held by whoever is to give the result; if it is let go without one, the client is told so. The first
/// answer counts: the result, or that the provider stops. The place among the calls is kept until the tool is over,
/// also when nobody waits for it any more.
class RunningCall final : public toolwire::http::Exchange::Listener, public std::enable_shared_from_this<RunningCall> {
 public:
  RunningCall(std::shared_ptr<toolwire::http::Exchange> exchange, std::unique_ptr<CallsUnderWay::Place> place);
  RunningCall(const RunningCall&) = delete;
  RunningCall& operator=(const RunningCall&) = delete;
  ~RunningCall();

  /// Once, before the tool is called.
  void begin();
  /// Fires when the client has left or the provider stops.
  std::stop_token stop_token() const { return stop_.get_token(); }
  /// The tool is over.
  void take(const ToolResult& result);
  /// Where there will be no result.
  void answer(Answer answer);

 private:
  void on_closed() override { stop_.request_stop(); }
  void on_caught_up() override {}

  const std::shared_ptr<toolwire::http::Exchange> exchange_;
  std::stop_source stop_;
  Mutex mutex_;
  std::unique_ptr<CallsUnderWay::Place> place_ TOOLWIRE_GUARDED_BY(mutex_);
  bool is_answered_ TOOLWIRE_GUARDED_BY(mutex_) = false;
  std::optional<std::stop_callback<std::function<void()>>> when_stopped_;  // the last member: it uses the others
};

}  // namespace toolwire::bridge::http
