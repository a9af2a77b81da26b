#include <toolwire/system/wake_event.hpp>

#include <sys/eventfd.h>
#include <unistd.h>

#include <cerrno>
#include <cstdint>
#include <system_error>

namespace toolwire::system {

WakeEvent::WakeEvent() : event_{beside_standard_streams(FileDescriptor{::eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK)})} {
  if (!event_.is_open()) throw std::system_error(errno, std::generic_category(), "eventfd");
}

void WakeEvent::set() const noexcept {
  const std::uint64_t one = 1;
  // Fails only when the counter is full, and so set.
  [[maybe_unused]] const auto written = ::write(event_.get(), &one, sizeof one);
}

void WakeEvent::clear() const noexcept {
  std::uint64_t count = 0;
  [[maybe_unused]] const auto taken = ::read(event_.get(), &count, sizeof count);
}

}  // namespace toolwire::system
