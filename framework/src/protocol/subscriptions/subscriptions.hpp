// Open subscriptions/listen requests (2026-07-28 basic/patterns/subscriptions). Each holds no thread and no place among
// the calls in flight; it stays open until the client cancels it or the session ends.
#pragma once

#include <cstddef>
#include <memory>
#include <vector>

#include "engine/send_queue.hpp"
#include "protocol/subscriptions/filter.hpp"
#include "runtime/call.hpp"
#include "runtime/coalesced_notifications.hpp"
#include "toolwire/detail/mutex.hpp"

namespace toolwire::protocol {

/// Thread-safe.
class Subscriptions {
 public:
  /// `bound`: subscriptions open at once; `subjects_bound`: subjects (resource URIs) of all of them together.
  Subscriptions(engine::SendQueue& output, runtime::CoalescedNotifications& newest, std::size_t bound,
                std::size_t subjects_bound)
      : output_(output), newest_(newest), bound_(bound), subjects_bound_(subjects_bound) {}

  /// Registers the request and acknowledges it in one step, so that the acknowledgement comes before anything it
  /// subscribes to. Throws ProtocolError (-32603) when a bound is reached.
  void open(std::shared_ptr<runtime::Call> call, Filter filter);
  /// Notifies all subscribers. A client that does not read is notified once it does, of each subject once.
  void tell(const Change& change);

  /// Takes the open ones, which are then closed; the caller answers them.
  std::vector<std::shared_ptr<runtime::Call>> take_all();

 private:
  struct Subscription {
    std::shared_ptr<runtime::Call> call;
    Filter filter;
  };
  bool has_room_for(const Filter& filter) const TOOLWIRE_REQUIRES(mutex_);
  void forget_cancelled() TOOLWIRE_REQUIRES(mutex_);

  engine::SendQueue& output_;
  runtime::CoalescedNotifications& newest_;
  const std::size_t bound_;
  const std::size_t subjects_bound_;
  Mutex mutex_;
  std::vector<Subscription> open_ TOOLWIRE_GUARDED_BY(mutex_);
};

}  // namespace toolwire::protocol
