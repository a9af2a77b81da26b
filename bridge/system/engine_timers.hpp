// Timers on the threads of an engine: a due function that takes its time (a native Activity that is polled, for
// example) delays no other.
#pragma once

#include <memory>

#include <toolwire/engine.hpp>

#include "system/timers.hpp"

namespace toolwire::bridge {

/// Destruction waits for functions that are running, but for one that it happens in, and drops the rest.
class EngineTimers : public Timers {
 public:
  explicit EngineTimers(std::shared_ptr<Engine> engine);
  EngineTimers(const EngineTimers&) = delete;
  EngineTimers& operator=(const EngineTimers&) = delete;
  ~EngineTimers() override;

  /// Does what destruction does; what is added later is dropped at once.
  void stop();

  Handle at(Clock::time_point when, std::function<void()> what) override;
  void cancel(const Handle& handle) override;

 private:
  struct Due;
  const std::shared_ptr<Due> due_;  // also of jobs of the engine that are too late
  const std::shared_ptr<Engine> engine_;
};

}  // namespace toolwire::bridge
