// Keeps spans that have ended and sends them to a collector, many at once and in the background. Bounded in every
// direction; what is lost is counted and said. Knows neither HTTP nor who makes spans.
#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <functional>
#include <memory>
#include <optional>
#include <stop_token>
#include <string>
#include <vector>

#include "system/timers.hpp"
#include "toolwire/detail/condition_variable.hpp"
#include "toolwire/detail/mutex.hpp"
#include "traces/otlp.hpp"
#include "traces/span.hpp"

namespace toolwire::bridge::traces {

struct ExporterOptions {
  Resource resource = {};
  std::size_t most = 2'048;                          ///< Spans that wait; further ones are lost.
  std::size_t batch = 512;                           ///< Spans that are sent at once.
  std::chrono::milliseconds delay{1'000};            ///< Of the first of a batch that is not full.
  std::chrono::milliseconds first_pause{1'000};      ///< Before a batch is sent again; doubled each time.
  std::chrono::milliseconds max_pause{30'000};       ///< Also if the collector asks for more.
  std::chrono::milliseconds patience{60'000};        ///< With a batch, from when it was first sent; then it is lost.
  std::chrono::milliseconds between_words{60'000};   ///< Of what is lost.
  std::function<void(const std::string&)> log = {};  ///< A line for the operator; from any thread, must not wait.
};

/// Thread-safe; what it calls and what calls it holds a share.
class Exporter : public std::enable_shared_from_this<Exporter> {
 public:
  /// Posts a body. `done` is called once, from any thread, also at once; a stop ends it.
  using Send = std::function<void(std::string body, std::stop_token stop, std::function<void(HttpOutcome&&)> done)>;

  /// `timers` must outlive every share.
  Exporter(Send send, Timers& timers, ExporterOptions options)
      : send_(std::move(send)), timers_(timers), options_(std::move(options)) {}

  /// Returns at once, whatever the collector does.
  void add(Span&& span) noexcept;
  /// Sends what there is now, and waits for that, no longer than `time`; what is left then is lost, and so is what is
  /// added later. Not on a thread of the timers, nor of what sends.
  void end(std::chrono::milliseconds time);

  struct Counts {
    std::uint64_t exported = 0;
    std::uint64_t lost = 0;
  };
  Counts counts() const;

 private:
  using Clock = Timers::Clock;
  struct Batch {
    std::size_t count = 0;
    std::string body = {};
    int attempts = 0;
    Clock::time_point first = {};
  };

  void wake(Clock::duration time) TOOLWIRE_REQUIRES(mutex_);
  void send_next();
  void sent(const HttpOutcome& outcome);
  std::optional<Clock::duration> pause_before_another(const Verdict& verdict) const TOOLWIRE_REQUIRES(mutex_);
  void lose(std::uint64_t count, const std::string& why) TOOLWIRE_REQUIRES(mutex_);
  void say_what_is_lost() TOOLWIRE_REQUIRES(mutex_);

  const Send send_;
  Timers& timers_;
  const ExporterOptions options_;
  std::stop_source stop_;

  mutable Mutex mutex_;
  ConditionVariable idle_;
  std::deque<Span> waiting_ TOOLWIRE_GUARDED_BY(mutex_);
  std::optional<Batch> batch_ TOOLWIRE_GUARDED_BY(mutex_);  // being sent, or to be sent again
  bool sending_ TOOLWIRE_GUARDED_BY(mutex_) = false;
  std::optional<Timers::Handle> timer_ TOOLWIRE_GUARDED_BY(mutex_);  // of the next sending
  std::optional<Clock::time_point> ends_ TOOLWIRE_GUARDED_BY(mutex_);
  bool ended_ TOOLWIRE_GUARDED_BY(mutex_) = false;
  Counts counts_ TOOLWIRE_GUARDED_BY(mutex_);
  std::uint64_t unsaid_ TOOLWIRE_GUARDED_BY(mutex_) = 0;
  std::string why_ TOOLWIRE_GUARDED_BY(mutex_);
  std::optional<Clock::time_point> said_ TOOLWIRE_GUARDED_BY(mutex_);
  std::optional<Timers::Handle> to_be_said_ TOOLWIRE_GUARDED_BY(mutex_);
};

}  // namespace toolwire::bridge::traces
