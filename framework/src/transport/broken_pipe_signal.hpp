// Keeps SIGPIPE from ending a process that writes to a pipe without a reader. Independent of
// descriptors.
#pragma once

#include <csignal>

namespace toolwire::transport {

/// Tells that this process survives SIGPIPE for good: nothing needs to be held back any more. Two system calls a write
/// are saved.
void broken_pipes_are_survived();

/// While it lives, a SIGPIPE raised in this thread is not delivered; its end takes it off the queue unless one was
/// waiting there before. Sets errno to 0 at first, so that afterwards it is that of the write. For libraries: a
/// program's own handling of the signal stays as it is. Stack only.
class BrokenPipeSignalHeldBack {
 public:
  BrokenPipeSignalHeldBack();
  BrokenPipeSignalHeldBack(const BrokenPipeSignalHeldBack&) = delete;
  BrokenPipeSignalHeldBack& operator=(const BrokenPipeSignalHeldBack&) = delete;
  ~BrokenPipeSignalHeldBack();

 private:
  const bool needed_;
  sigset_t only_sigpipe_{};
  sigset_t before_{};
};

}  // namespace toolwire::transport
