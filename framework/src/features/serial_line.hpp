// Calls that run one after the other: a line for each group of tools that share something. Independent of calls and
// their requests, which hold a number in it.
#pragma once

#include <atomic>
#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <string>

#include "toolwire/detail/mutex.hpp"
#include "toolwire/stores.hpp"

namespace toolwire::features {

/// Says that it is one's turn.
struct SerialTurn {};

/// Thread-safe. Who has joined stands in the order of joining; the first has the turn, until it leaves. Whoever waits
/// is told with no lock held, on the thread that leaves.
class SerialLine {
 public:
  using Number = std::uint64_t;

  /// Joins at the end. Never 0.
  Number join();
  bool is_first(Number number) const;
  /// Calls `done` once it is the turn of `number`, now or later. If that has given up, `done` is dropped. Once a
  /// number.
  void wait(Number number, Done<SerialTurn> done);
  /// The turn is taken: from now on only `leave` ends it. False if `number` has given up before.
  bool begin(Number number);
  /// Leaves the line unless the turn has been taken. Returns whether it has left now.
  bool give_up(Number number);
  void leave(Number number);

 private:
  struct Place {
    bool has_begun = false;
    std::optional<Done<SerialTurn>> done = {};  // of one that waits
  };
  using Places = std::map<Number, Place>;
  /// What there is to do without the lock: to tell the next, and to let go of the one that has left.
  struct Left {
    Places::node_type gone = {};
    std::optional<Done<SerialTurn>> next = {};
    void tell();
  };
  Left take_out(Places::iterator place) TOOLWIRE_REQUIRES(mutex_);

  mutable Mutex mutex_;
  Places places_ TOOLWIRE_GUARDED_BY(mutex_);
  Number last_ TOOLWIRE_GUARDED_BY(mutex_) = 0;
};

/// The lines of a server. Thread-safe. A line lives as long as a tool or a call that has it.
class SerialLines {
 public:
  /// The line of all tools of this group.
  std::shared_ptr<SerialLine> of_group(const std::string& group) { return of("group " + group); }
  /// The line of one tool, and of the one that replaces it.
  std::shared_ptr<SerialLine> of_tool(const std::string& tool) { return of("tool " + tool); }
  /// From now on there are some, though they are those of another server.
  void share() { any_.store(true, std::memory_order_release); }
  /// Whether there is, or was, any: the others are not asked then.
  bool any() const { return any_.load(std::memory_order_acquire); }

 private:
  std::shared_ptr<SerialLine> of(const std::string& key);

  std::atomic<bool> any_{false};
  Mutex mutex_;
  std::map<std::string, std::weak_ptr<SerialLine>> lines_ TOOLWIRE_GUARDED_BY(mutex_);
};

}  // namespace toolwire::features
