// One line on stderr when the process crashes, or a call exits: by which signal, in which call, and where the trace is.
// Independent of what a call is.
#pragma once

#include <atomic>
#include <cstddef>
#include <string_view>

#include "system/thread_end.hpp"

namespace toolwire::system {

/// While one exists, SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGABRT, and exit() on the thread of a call, leave such a line
/// before they end the process as ever. Only signals are touched that nobody handles or ignores: not those of a
/// sanitizer, or of the program. What they find when it is destroyed that is still its own becomes the default again.
/// If stderr takes nothing within 100 ms there is no line. A forked process leaves none.
class CrashLines {
 public:
  /// `trace`: the file that the connection is recorded in; empty: none.
  explicit CrashLines(std::string_view trace);
  ~CrashLines();
  CrashLines(const CrashLines&) = delete;
  CrashLines& operator=(const CrashLines&) = delete;

  static bool exist() noexcept { return count_.load(std::memory_order_relaxed) > 0; }

 private:
  // NOLINTNEXTLINE(cppcoreguidelines-avoid-non-const-global-variables)
  static inline constinit std::atomic<int> count_{0};
};

/// What a handler needs that runs because the stack of its thread has run out. Until the thread ends; a thread that has
/// such a stack keeps that.
class SignalStack {
 public:
  SignalStack() noexcept;
  ~SignalStack();
  SignalStack(const SignalStack&) = delete;
  SignalStack& operator=(const SignalStack&) = delete;

 private:
  void* memory_ = nullptr;  // null: it is not ours
  std::size_t size_ = 0;
};

/// Prepares the calling thread, once, if a crash is to leave a line.
inline void prepare_for_crash() noexcept {
  if (CrashLines::exist()) OfThread<SignalStack>::get();
}

}  // namespace toolwire::system
