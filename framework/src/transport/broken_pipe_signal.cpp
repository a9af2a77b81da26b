#include "transport/broken_pipe_signal.hpp"

#include <atomic>
#include <cerrno>
#include <ctime>

namespace toolwire::transport {
namespace {
// NOLINTNEXTLINE(cppcoreguidelines-avoid-non-const-global-variables): a property of the process
std::atomic<bool> survived = false;
}  // namespace

void broken_pipes_are_survived() { survived = true; }

BrokenPipeSignalHeldBack::BrokenPipeSignalHeldBack() : needed_{!survived} {
  errno = 0;
  if (!needed_) return;
  ::sigemptyset(&only_sigpipe_);
  ::sigaddset(&only_sigpipe_, SIGPIPE);
  ::pthread_sigmask(SIG_BLOCK, &only_sigpipe_, &before_);
  errno = 0;
}

BrokenPipeSignalHeldBack::~BrokenPipeSignalHeldBack() {
  if (!needed_) return;
  const int error = errno;
  if (::sigismember(&before_, SIGPIPE) == 0) {
    const timespec now{};
    while (error == EPIPE && ::sigtimedwait(&only_sigpipe_, nullptr, &now) < 0 && errno == EINTR) {
    }
    ::pthread_sigmask(SIG_SETMASK, &before_, nullptr);
  }
  errno = error;
}

}  // namespace toolwire::transport
