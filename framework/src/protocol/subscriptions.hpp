// Open subscriptions/listen requests (2026-07-28 basic/patterns/subscriptions). Each holds no thread and no place among
// the calls in flight; it stays open until the client cancels it or the session ends.
#pragma once

#include <cstddef>
#include <memory>
#include <mutex>
#include <string_view>
#include <vector>

#include "runtime/call.hpp"
#include "runtime/output.hpp"

namespace toolwire::protocol {

/// Thread-safe.
class Subscriptions {
 public:
  Subscriptions(runtime::Output& output, std::size_t bound) : output_(output), bound_(bound) {}

  /// Registers the request and acknowledges it in one step, so that the acknowledgement comes before anything it
  /// subscribes to. Throws ProtocolError (-32603) when too many are open.
  void open(std::shared_ptr<runtime::Call> call, bool tools_list_changed);
  void tools_changed();

  /// The open ones, which are closed thereby; whoever takes them answers them.
  std::vector<std::shared_ptr<runtime::Call>> take_all();

 private:
  struct Subscription {
    std::shared_ptr<runtime::Call> call;
    bool tools_list_changed;
  };
  void forget_cancelled();

  runtime::Output& output_;
  const std::size_t bound_;
  std::mutex mutex_;
  std::vector<Subscription> open_;
};

}  // namespace toolwire::protocol
