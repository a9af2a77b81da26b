// A descriptor that another thread makes readable, to end a wait in poll(2).
#pragma once

#include <sys/eventfd.h>
#include <unistd.h>

#include <cerrno>
#include <cstdint>
#include <system_error>

#include "transport/file_descriptor.hpp"

namespace toolwire::transport {

/// Set from any thread; cleared by the one that waits. Throws std::system_error if descriptors have run out.
class WakeEvent {
 public:
  WakeEvent() : event_{::eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK)} {
    if (!event_.is_open()) throw std::system_error(errno, std::generic_category(), "eventfd");
  }

  [[nodiscard]] int descriptor() const { return event_.get(); }

  void set() const {
    const std::uint64_t one = 1;
    // Fails only when the counter is full, and so set.
    [[maybe_unused]] const auto written = ::write(event_.get(), &one, sizeof one);
  }

  void clear() const {
    std::uint64_t count = 0;
    [[maybe_unused]] const auto taken = ::read(event_.get(), &count, sizeof count);
  }

 private:
  FileDescriptor event_;
};

}  // namespace toolwire::transport
