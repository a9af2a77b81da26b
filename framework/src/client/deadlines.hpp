// When requests without a waiting thread are given up. Independent of requests.
#pragma once

#include <toolwire/engine.hpp>

#include <functional>
#include <memory>
#include <optional>
#include <thread>

#include "engine/timers.hpp"
#include "toolwire/detail/condition_variable.hpp"
#include "toolwire/detail/mutex.hpp"

namespace toolwire::client {

/// Thread-safe. Its functions run on threads of the engine, one at a time; without one, on a thread that is started
/// with the first deadline.
class Deadlines {
 public:
  using Handle = engine::Timers::Handle;

  explicit Deadlines(std::shared_ptr<Engine> engine = {});
  Deadlines(const Deadlines&) = delete;
  Deadlines& operator=(const Deadlines&) = delete;
  ~Deadlines() { stop(); }

  Handle at(engine::Timers::Clock::time_point when, std::function<void()> what);
  /// A deadline that is due at this moment may still run its function.
  void forget(const Handle& handle) { due_->timers.cancel(handle); }

  /// No function runs afterwards. Not from inside a deadline's function.
  void stop();

 private:
  using Clock = engine::Timers::Clock;

  /// Also of jobs of the engine that come too late.
  struct Due {
    bool run();

    engine::Timers timers;
    Mutex mutex;
    ConditionVariable changed;
    bool stopping TOOLWIRE_GUARDED_BY(mutex) = false;
    bool running TOOLWIRE_GUARDED_BY(mutex) = false;
    bool changed_earliest TOOLWIRE_GUARDED_BY(mutex) = false;
    std::optional<Clock::time_point> rings TOOLWIRE_GUARDED_BY(mutex);  // the engine looks then
  };

  static void ring_at_next(const std::shared_ptr<Due>& due, const std::weak_ptr<Engine>& engine);
  static void ring(const std::shared_ptr<Due>& due, const std::weak_ptr<Engine>& engine, Clock::time_point when);
  void run_on_thread();

  const std::shared_ptr<Engine> engine_;
  const std::shared_ptr<Due> due_ = std::make_shared<Due>();
  std::thread thread_ TOOLWIRE_GUARDED_BY(due_->mutex);
};

}  // namespace toolwire::client
