#include "transport/broken_pipe_signal.hpp"

#include <cerrno>
#include <ctime>

namespace toolwire::transport {

BrokenPipeSignalHeldBack::BrokenPipeSignalHeldBack() {
  ::sigemptyset(&only_sigpipe_);
  ::sigaddset(&only_sigpipe_, SIGPIPE);
  ::pthread_sigmask(SIG_BLOCK, &only_sigpipe_, &before_);
  errno = 0;
}

BrokenPipeSignalHeldBack::~BrokenPipeSignalHeldBack() {
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
