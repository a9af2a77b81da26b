// Keeps signals away from the threads of the library: a program's own threads are to take them.
#pragma once

#include <csignal>

namespace toolwire::transport {

/// All signals are blocked in this thread while it lives; a thread started meanwhile keeps them blocked. Stack only.
class SignalsBlocked {
 public:
  SignalsBlocked() {
    sigset_t all;
    ::sigfillset(&all);
    ::pthread_sigmask(SIG_SETMASK, &all, &before_);
  }
  SignalsBlocked(const SignalsBlocked&) = delete;
  SignalsBlocked& operator=(const SignalsBlocked&) = delete;
  ~SignalsBlocked() { ::pthread_sigmask(SIG_SETMASK, &before_, nullptr); }

 private:
  sigset_t before_{};
};

}  // namespace toolwire::transport
