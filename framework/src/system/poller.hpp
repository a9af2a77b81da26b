// One wait for many descriptors. Independent of what is read from them.
#pragma once

#include <toolwire/system/file_descriptor.hpp>
#include <toolwire/system/wake_event.hpp>

#include <array>
#include <cstddef>
#include <cstdint>

namespace toolwire::system {

/// epoll(7), level-triggered. `wait` is for one thread at a time, everything else for any.
class Poller {
 public:
  enum Interest : unsigned { nothing = 0, input = 1, output = 2, hang_up = 4 };
  /// What is waited for is known by a number of the caller's, for a descriptor may be that of something else by the
  /// time the event is looked at.
  struct Event {
    std::uint64_t id = 0;
    unsigned interest = nothing;
  };
  static constexpr std::size_t max_events = 64;
  using Events = std::array<Event, max_events>;

  /// Throws std::system_error if descriptors have run out.
  Poller();

  /// Waits for these from now on, also in a `wait` that is going on; with `nothing`, or where the descriptor is
  /// negative, no longer for any. False if the descriptor cannot be waited for, as a file.
  bool watch(int descriptor, std::uint64_t id, unsigned interest) const;

  /// Stores what is ready and returns how much that is; a `wake` is one of these, with nothing as its interest, so that
  /// nobody waits again without having looked why. `milliseconds` at most; negative: without a limit.
  std::size_t wait(Events& events, int milliseconds) const;

  /// Readable while a `wait` would find something.
  [[nodiscard]] int descriptor() const { return epoll_.get(); }

  /// Ends the `wait` that is going on, or the next.
  void wake() const { woken_.set(); }

 private:
  WakeEvent woken_;
  FileDescriptor epoll_;
};

}  // namespace toolwire::system
