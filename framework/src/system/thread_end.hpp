// What a thread keeps for itself until it ends. A thread_local object with a destructor asks for memory at its first
// use, and without any glibc ends the whole process ("failed to register TLS destructor"); this asks for none.
#pragma once

#include <cstddef>
#include <memory>
#include <new>

namespace toolwire::system {

/// One thing to do when a thread ends, in a thread_local without a destructor.
struct AtThreadEnd {
  void (*run)() = nullptr;
  AtThreadEnd* next = nullptr;
};

/// Has the calling thread call `last.run` when it ends, after the destructors of its thread_local objects; what was
/// asked for last comes first. Once for each `last`. The first thread of a process ends with the process, without this.
void run_at_thread_end(AtThreadEnd& last) noexcept;

/// A T of the calling thread, made when it is first used and destroyed when the thread ends. `Owner` tells those of one
/// T apart. What uses it after that has a new one, which is not destroyed.
template <class T, class Owner = T>
class OfThread {
 public:
  static T& get() {
    if (!is_made_) make();
    return *std::launder(reinterpret_cast<T*>(storage_));
  }

 private:
  static void make() {
    ::new (static_cast<void*>(storage_)) T();
    is_made_ = true;
    end_.run = &end;
    run_at_thread_end(end_);
  }
  static void end() {
    is_made_ = false;
    std::destroy_at(std::launder(reinterpret_cast<T*>(storage_)));
  }

  // NOLINTBEGIN(cppcoreguidelines-avoid-non-const-global-variables)
  alignas(T) static inline thread_local constinit std::byte storage_[sizeof(T)]{};
  static inline thread_local constinit bool is_made_ = false;
  static inline thread_local constinit AtThreadEnd end_{};
  // NOLINTEND(cppcoreguidelines-avoid-non-const-global-variables)
};

}  // namespace toolwire::system
