// What stands behind a Subscription: a `subscriptions/listen`, or an ear for unasked notifications in older revisions.
#pragma once

#include <toolwire/client.hpp>

#include <functional>
#include <memory>
#include <mutex>
#include <string_view>
#include <vector>

#include "client/connection.hpp"

namespace toolwire::client {

/// Thread-safe.
class Listening : public std::enable_shared_from_this<Listening> {
 public:
  /// `lists`: "tools", "resources", "prompts".
  Listening(std::shared_ptr<Connection> connection, std::vector<std::string_view> lists, std::function<void()> changed);

  /// Returns once the server has acknowledged it. Once. Throws as CallHandle::wait.
  void start();
  /// Afterwards the function is not called any more; waits for it if it is running.
  void stop();
  [[nodiscard]] bool is_active() const { return !pending_->is_done(); }

 private:
  void take(const std::string& method, Pending& acknowledged);
  void wait_for_acknowledgement(Pending& acknowledged);
  void call();

  const std::shared_ptr<Connection> connection_;
  const std::vector<std::string_view> lists_;
  const std::shared_ptr<Pending> pending_ = std::make_shared<Pending>();
  std::mutex calling_;
  std::function<void()> changed_;  // guarded by calling_; empty once stopped
};

}  // namespace toolwire::client
