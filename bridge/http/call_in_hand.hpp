// Waits for the result of one call on the thread of its connection, and notices when the client hangs up meanwhile.
// Independent of what is called.
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <stop_token>

#include <toolwire/result.hpp>
#include <toolwire/system/wake_event.hpp>

#include "toolwire/detail/mutex.hpp"

namespace toolwire::bridge::http {

/// Where the result goes: shared by the waiting thread and the one that answers, which may come after the wait.
class CallInHandResult {
 public:
  /// Throws std::system_error if the system has no more descriptors.
  CallInHandResult() = default;
  CallInHandResult(const CallInHandResult&) = delete;
  CallInHandResult& operator=(const CallInHandResult&) = delete;

  /// The first one counts. Any thread.
  void set(ToolResult result);
  std::optional<ToolResult> take();
  /// Becomes readable once there is a result.
  int descriptor() const { return event_.descriptor(); }

 private:
  Mutex mutex_;
  std::optional<ToolResult> result_ TOOLWIRE_GUARDED_BY(mutex_);
  bool is_set_ TOOLWIRE_GUARDED_BY(mutex_) = false;
  const system::WakeEvent event_;
};

/// Waits until there is a result. If the client of `socket` hangs up first, requests `stop` and returns nothing.
std::optional<ToolResult> wait_for_result(CallInHandResult& result, int socket, std::stop_source& stop);

}  // namespace toolwire::bridge::http
