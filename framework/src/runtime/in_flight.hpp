// The table of requests that were read and are not yet finished. Independent of what they request.
#pragma once

#include <atomic>
#include <cstddef>
#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

#include "json/fast.hpp"
#include "runtime/call.hpp"
#include "toolwire/detail/mutex.hpp"

namespace toolwire::runtime {

/// Thread-safe. Holds its calls weakly: a call that is no longer run must be able to notice that it was dropped.
class InFlight {
 public:
  enum class Refusal { none, id_in_use, full };
  struct Begun {
    std::shared_ptr<Call> call;  // also if refused, so that the refusal can be answered through it
    Refusal refusal = Refusal::none;
  };

  InFlight(engine::SendQueue& output, std::size_t bound) : output_(output), bound_(bound) {}

  /// Enters a request. Refused while one with the same id is unanswered, and when the table is full.
  Begun begin(jsonrpc::Id&& id, std::shared_ptr<AnswerSink> sink);

  /// Cancels the call with this key, if there is one; returns whether there was.
  bool cancel(std::string_view key);
  /// Cancels all (stop is requested outside of any lock).
  void cancel_all();

  /// Called by a call that is over; one with the same id that took its place stays.
  void remove(Call& call);
  /// The call no longer counts as unanswered: its answer is in the output, or it is to stay open (a subscription).
  void settle(Call& call);

  /// Calls that were accepted and whose answer is not in the output yet.
  std::size_t unsettled() const { return unsettled_.load(std::memory_order_acquire); }

 private:
  engine::SendQueue& output_;
  const std::size_t bound_;
  mutable Mutex mutex_;
  using Calls = std::unordered_map<std::string_view, std::weak_ptr<Call>, std::hash<std::string_view>, std::equal_to<>,
                                   json::Recycled<std::pair<const std::string_view, std::weak_ptr<Call>>>>;
  Calls calls_ TOOLWIRE_GUARDED_BY(mutex_);  // the keys are in the calls: none ends while it is here
  std::atomic<std::size_t> unsettled_{0};
};

}  // namespace toolwire::runtime
