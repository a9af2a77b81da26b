// Inputs that an engine waits for on behalf of others. Where an input has a thread of its own, every message costs a
// switch to that thread and another back. Independent of what is read.
#pragma once

#include <atomic>
#include <cstdint>
#include <memory>
#include <vector>

#include "system/poller.hpp"
#include "toolwire/detail/condition_variable.hpp"
#include "toolwire/detail/mutex.hpp"
#include "transport/pollable.hpp"

namespace toolwire::engine {

class Engine;

/// An input of another owner, with a thread of its own, which lends it as long as an engine is there, and gets it back
/// for everything out of the ordinary: the end, an interrupt, a reader that is stuck in an earlier message. So nothing
/// depends on an engine.
class Guest {
 public:
  using Awaited = transport::Lendable::Awaited;

  Guest() = default;
  Guest(const Guest&) = delete;
  Guest& operator=(const Guest&) = delete;
  virtual ~Guest() = default;
  /// Reads what is there and handles it, without waiting; false if the input's own thread has to take over.
  virtual bool read_along() = 0;
  /// Whether somebody waits for something from this input. With the lock of the engine held.
  virtual bool expects_something() const = 0;
};

/// Where guests find an engine: the one of this process that reads standard input, or whichever runs first.
/// Thread-safe.
class Host {
 public:
  /// Never destroyed: threads may use it when the process ends.
  static Host& of_process();

  /// Called by the guest's own thread; returns when the input belongs to that thread alone again: at once if there is
  /// no engine.
  void lend(Guest& guest, const Guest::Awaited& awaited);
  /// Makes `lend` return.
  void recall(const Guest& guest);
  /// To be called when something is expected of the guest from now on. If the engine does not wait for it, because
  /// nothing was expected before, makes `lend` return, so that its own thread waits for it.
  void expect(const Guest& guest) {
    if (reads_plainly_) recall(guest);
  }

 private:
  friend class Engine;
  /// False if there is one already.
  bool open(std::shared_ptr<Engine> engine);
  void close(const Engine& engine);
  std::shared_ptr<Engine> engine();

  std::atomic<bool> reads_plainly_{false};  // the engine has guests, and waits for none of them
  Mutex mutex_;
  std::shared_ptr<Engine> engine_ TOOLWIRE_GUARDED_BY(mutex_);
};

/// Those of one engine. Used with its mutex held.
class Guests {
 public:
  struct Lent {
    Guest& guest;
    const Guest::Awaited awaited;
    const std::uint64_t id;
    bool is_here = true;
    bool is_read = false;
  };

  explicit Guests(const system::Poller& poller) : poller_{poller} {}

  bool empty() const { return lent_.empty(); }
  bool any_expects_something() const;
  /// Null if it cannot be waited for.
  std::shared_ptr<Lent> take(Guest& guest, const Guest::Awaited& awaited, std::uint64_t id);
  std::shared_ptr<Lent> find(std::uint64_t id) const;
  void give_back(const Guest& guest);
  void give_back(Lent& lent);
  void give_all_back();
  void wait_until_back(MutexLock& lock, const Lent& lent);
  void done_reading(Lent& lent, bool well);

 private:
  bool watch(const Lent& lent) const;
  void forget(const Lent& lent) const;

  const system::Poller& poller_;
  std::vector<std::shared_ptr<Lent>> lent_;
  ConditionVariable given_back_;
};

}  // namespace toolwire::engine
