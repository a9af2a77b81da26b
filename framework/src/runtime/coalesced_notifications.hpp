// Lines of which only the newest of its kind matters ("the list has changed", the state of a task), towards a peer that
// may not read. Independent of what they say.
#pragma once

#include <cstddef>
#include <map>
#include <memory>
#include <string>

#include "engine/send_queue.hpp"
#include "runtime/call.hpp"
#include "toolwire/detail/mutex.hpp"

namespace toolwire::runtime {

/// Thread-safe. Takes as much memory as there are kinds, however often something changes. Its lock is held while it
/// appends to the output, and takes no other but those of the calls.
class CoalescedNotifications {
 public:
  explicit CoalescedNotifications(engine::SendQueue& output) : output_(output) {}

  /// Appends the line; while the output is above its soft bound keeps it instead, in place of one of that kind. With a
  /// call, only as long as that is open.
  void append(std::string kind, std::string line, std::shared_ptr<Call> call = nullptr);

  /// The peer reads again: appends what was kept, until the bound is reached again. Does not flush.
  void release();
  /// Appends all that was kept: nothing follows.
  void release_all();
  /// Forgets the lines of calls that are over.
  void forget_closed();

 private:
  struct Kept {
    std::string line;
    std::shared_ptr<Call> call;  // null: of no call
  };
  void append_now(Kept kept) TOOLWIRE_REQUIRES(mutex_);

  engine::SendQueue& output_;
  Mutex mutex_;
  std::map<std::string, Kept> kept_ TOOLWIRE_GUARDED_BY(mutex_);  // by kind
};

}  // namespace toolwire::runtime
