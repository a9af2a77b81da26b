// Keeps signals away from a thread and from the threads it starts, so that other threads of the program take them.
#pragma once

#include <csignal>

namespace toolwire::system {

/// All signals are blocked in this thread while it lives; a thread started meanwhile keeps them blocked. Stack only.
class SignalsBlocked {
 public:
  SignalsBlocked() noexcept;
  SignalsBlocked(const SignalsBlocked&) = delete;
  SignalsBlocked& operator=(const SignalsBlocked&) = delete;
  ~SignalsBlocked();

 private:
  sigset_t before_{};
};

}  // namespace toolwire::system
