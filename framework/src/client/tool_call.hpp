// One call of a tool from start to result, with the user's answers in between.
#pragma once

#include <toolwire/client.hpp>

#include <functional>
#include <memory>
#include <string>
#include <string_view>

#include "client/connection.hpp"
#include "client/task_following.hpp"
#include "toolwire/detail/call_clock.hpp"
#include "toolwire/detail/mutex.hpp"

namespace toolwire::client {

/// Thread-safe. Shared by the handles of one call.
class ToolCall : public std::enable_shared_from_this<ToolCall> {
 public:
  /// Throws std::invalid_argument if the arguments are no object.
  ToolCall(std::shared_ptr<Connection> connection, std::string_view tool, Json arguments, CallOptions options);
  /// Any other request that may ask the user first; `what` is its name in the text of errors.
  ToolCall(std::shared_ptr<Connection> connection, std::string_view method, std::string_view what, JsonObject params,
           CallOptions options);

  /// Sends the request. To be called once. Throws ConnectionError.
  void start();
  /// The same; the outcome goes to `done`.
  void start(std::function<void(CallOutcome&&)> done);

  CallResult wait();
  [[nodiscard]] bool is_done() const { return pending_->is_done(); }
  void cancel(const std::string& reason);
  /// Called by its clock.
  void timed_out();

 private:
  void give_up(Failure failure, const std::string& reason);
  bool take_questions(Json& result);
  bool take_task(const Json& result);
  void answer_and_repeat(const Json& questions);
  void fail(Failure::Kind kind, const std::string& text, int code = 0);

  const std::shared_ptr<Connection> connection_;
  const std::string method_;
  const std::string what_;
  const std::chrono::milliseconds timeout_;
  const Clock::time_point deadline_;
  JsonObject params_;  // as first sent
  const std::shared_ptr<Pending> pending_ = std::make_shared<Pending>();
  std::atomic<bool> asking_ = false;
  Mutex mutex_;
  std::shared_ptr<TaskFollowing> following_ TOOLWIRE_GUARDED_BY(mutex_);  // set once the call has become a task
  int rounds_ = 0;                                                        // used by the reading thread only
  detail::CallClock clock_;                                               // if nobody waits for it
};

}  // namespace toolwire::client
