#include "system/wake_up.hpp"

#include <poll.h>
#include <sys/eventfd.h>
#include <sys/signalfd.h>
#include <unistd.h>

#include <cerrno>
#include <csignal>
#include <cstdint>
#include <system_error>

namespace toolwire::system {

WakeUp::WakeUp(bool take_signals) : event_(eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK)) {
  if (event_ < 0) throw std::system_error(errno, std::generic_category(), "eventfd");
  if (take_signals) this->take_signals();
}

void WakeUp::take_signals() {
  if (signals_ >= 0) return;
  sigset_t ending;
  sigemptyset(&ending);
  sigaddset(&ending, SIGTERM);
  sigaddset(&ending, SIGINT);
  const int signals = signalfd(-1, &ending, SFD_CLOEXEC | SFD_NONBLOCK);
  if (signals < 0) throw std::system_error(errno, std::generic_category(), "signalfd");
  signals_ = signals;
  wake();
}

WakeUp::~WakeUp() {
  close(event_);
  if (signals_ >= 0) close(signals_);
}

void WakeUp::wake() {
  const std::uint64_t one = 1;
  [[maybe_unused]] ssize_t written = write(event_, &one, sizeof one);  // fails only when it is already counted up
}

WakeUp::Reason WakeUp::sleep(int milliseconds) {
  pollfd watched[] = {{event_, POLLIN, 0}, {signals_, POLLIN, 0}};
  if (poll(watched, 2, milliseconds) <= 0) return Reason::woken_or_time;
  if ((watched[0].revents & POLLIN) != 0) {
    std::uint64_t count = 0;
    [[maybe_unused]] ssize_t taken = read(event_, &count, sizeof count);
  }
  if ((watched[1].revents & POLLIN) == 0) return Reason::woken_or_time;
  signalfd_siginfo info{};
  [[maybe_unused]] ssize_t taken = read(signals_, &info, sizeof info);
  return Reason::ended_by_signal;
}

}  // namespace toolwire::system
