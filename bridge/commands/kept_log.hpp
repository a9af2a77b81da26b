// A log of its own for a bridge that serves for long: see RotatedLog.
#pragma once

#include <memory>
#include <string>

#include <toolwire/engine.hpp>

#include "system/engine_timers.hpp"
#include "system/rotated_log.hpp"

namespace toolwire::bridge {

/// Standard error, as long as it lives; looks at its length every ten seconds.
class KeptLog {
 public:
  KeptLog(const std::string& path, std::shared_ptr<Engine> engine) : log_(path), timers_(std::move(engine)) {
    look_later();
  }
  KeptLog(const KeptLog&) = delete;
  KeptLog& operator=(const KeptLog&) = delete;
  ~KeptLog() { timers_.stop(); }

 private:
  static constexpr std::chrono::seconds between_looks{10};

  void look_later() {
    timers_.after(between_looks, [this] {
      log_.look();
      look_later();
    });
  }

  RotatedLog log_;  // of the timer, once that has begun
  EngineTimers timers_;
};

}  // namespace toolwire::bridge
