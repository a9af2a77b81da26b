// A descriptor that becomes readable at a time, for waits in poll(2).
#pragma once

#include <chrono>
#include <optional>

#include <toolwire/system/file_descriptor.hpp>

namespace toolwire::system {

/// One thread at a time.
class TimerEvent {
 public:
  /// Throws std::system_error if descriptors have run out.
  TimerEvent();

  [[nodiscard]] int descriptor() const { return timer_.get(); }

  /// Readable from `when` on, which may be over, until it is set again; nothing: never.
  void set(std::optional<std::chrono::steady_clock::time_point> when) const noexcept;

 private:
  FileDescriptor timer_;
};

}  // namespace toolwire::system
