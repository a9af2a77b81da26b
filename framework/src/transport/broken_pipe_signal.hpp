// Keeps SIGPIPE from ending a process that writes to a pipe without a reader. Independent of
// descriptors.
#pragma once

#include <csignal>

namespace toolwire::transport {

/// Says that from now on this process survives SIGPIPE, so that nothing needs to be held back: saves two system calls
/// per write.
void broken_pipes_are_survived();

/// While it lives, a SIGPIPE raised in this thread is not delivered; destruction removes it unless one was pending
/// before. Sets errno to 0 at first, so that afterwards it is that of the write. For libraries: a program's own
/// handling of the signal stays as it is. Stack only.
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
