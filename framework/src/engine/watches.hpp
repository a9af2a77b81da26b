// Descriptors that an engine waits for on behalf of others, and what is called when they are ready. Independent of what
// they are.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <set>
#include <thread>

#include "system/poller.hpp"
#include "toolwire/detail/condition_variable.hpp"
#include "toolwire/detail/mutex.hpp"

namespace toolwire::engine {

/// Those of one engine. Used with its mutex held, but for a call of `ready`. Each has a number of its own, so that an
/// event that is out of date finds nothing.
class Watches {
 public:
  using Ready = std::function<void(unsigned ready_for)>;

  struct Watch {
    const int descriptor;
    unsigned interest;
    Ready ready;
    std::thread::id caller = {};  // of `ready`, at this moment
    bool is_armed = true;
    bool is_over = false;
    bool is_called() const { return caller != std::thread::id(); }
  };

  explicit Watches(const system::Poller& poller) : poller_{poller} {}

  bool empty() const { return watches_.empty(); }
  bool is_watched(int descriptor) const { return descriptors_.contains(descriptor); }
  /// False if it cannot be waited for.
  bool add(std::uint64_t id, std::shared_ptr<Watch> watch);
  std::shared_ptr<Watch> find(std::uint64_t id) const;
  std::shared_ptr<Watch> take(std::uint64_t id);
  std::map<std::uint64_t, std::shared_ptr<Watch>> take_all();
  /// It waits for these from now on, or for nothing.
  void change(std::uint64_t id, unsigned interest);

  /// Somebody is inside of a call that has lasted: it is not waited for meanwhile.
  void disarm(Watch& watch) const;
  void begin_call(Watch& watch) const { watch.caller = std::this_thread::get_id(); }
  void end_call(std::uint64_t id, Watch& watch);
  void wait_for_call(MutexLock& lock, const Watch& watch);

 private:
  void arm(std::uint64_t id, Watch& watch) const;

  const system::Poller& poller_;
  std::set<int> descriptors_;
  std::map<std::uint64_t, std::shared_ptr<Watch>> watches_;
  ConditionVariable call_ended_;
};

}  // namespace toolwire::engine
