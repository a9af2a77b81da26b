// Lines that wait to be read: some threads add, one reads. Knows nothing of what they say.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

#include "toolwire/detail/condition_variable.hpp"
#include "toolwire/detail/mutex.hpp"
#include "toolwire/system/wake_event.hpp"

namespace toolwire::remote {

/// Thread-safe. Throws std::system_error if descriptors have run out.
class IncomingLines {
 public:
  /// Adds a line, without its end. False if too much waits already, or after the end.
  bool add(std::string_view line);
  /// No more lines come. The first reason counts.
  void end(std::string_view reason);

  /// As those of Transport.
  std::ptrdiff_t read(char* into, std::size_t room);
  /// As those of Watchable.
  [[nodiscard]] int event() const { return event_.descriptor(); }
  std::ptrdiff_t try_read(char* into, std::size_t room);
  void interrupt();
  [[nodiscard]] bool is_ended() const;
  [[nodiscard]] std::string reason() const;

 private:
  std::ptrdiff_t take(char* into, std::size_t room) TOOLWIRE_REQUIRES(mutex_);
  void tell() TOOLWIRE_REQUIRES(mutex_);

  system::WakeEvent event_;  // set while there is something to read
  mutable Mutex mutex_;
  ConditionVariable changed_;
  std::string bytes_ TOOLWIRE_GUARDED_BY(mutex_);
  std::size_t read_ TOOLWIRE_GUARDED_BY(mutex_) = 0;  // of these
  bool ended_ TOOLWIRE_GUARDED_BY(mutex_) = false;
  bool interrupted_ TOOLWIRE_GUARDED_BY(mutex_) = false;
  std::string reason_ TOOLWIRE_GUARDED_BY(mutex_);
};

}  // namespace toolwire::remote
