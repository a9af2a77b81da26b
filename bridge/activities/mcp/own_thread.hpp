// Whether this thread belongs to a back-end. No back-end may be destroyed on such a thread, since that waits for it.
#pragma once

namespace toolwire::bridge::mcp {

/// While one lives, its thread counts as a back-end's.
class OnBackEndThread {
 public:
  OnBackEndThread() { ++depth(); }
  ~OnBackEndThread() { --depth(); }
  OnBackEndThread(const OnBackEndThread&) = delete;
  OnBackEndThread& operator=(const OnBackEndThread&) = delete;

  static bool is_one() { return depth() > 0; }

 private:
  static int& depth() {
    thread_local int depth = 0;
    return depth;
  }
};

}  // namespace toolwire::bridge::mcp
