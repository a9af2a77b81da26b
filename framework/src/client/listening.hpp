// What is behind a Subscription: a `subscriptions/listen`; in older revisions a receiver of unsolicited notifications,
// with `resources/subscribe` for each resource.
#pragma once

#include <toolwire/client.hpp>

#include <functional>
#include <memory>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "client/connection.hpp"
#include "toolwire/detail/mutex.hpp"

namespace toolwire::client {

/// What to listen for.
struct Heard {
  std::vector<std::string_view> lists = {};  // "tools", "resources", "prompts"
  std::vector<std::string> uris = {};        // of resources
};

/// Thread-safe. However often something changes while the function is at work, it is called once more for it.
class Listening : public std::enable_shared_from_this<Listening> {
 public:
  /// `changed` gets the URI of the resource, or an empty text for the lists.
  Listening(std::shared_ptr<Connection> connection, Heard heard, std::function<void(const std::string&)> changed);

  /// Returns when the server has acknowledged all of it. To be called once. Throws as CallHandle::wait.
  void start();
  /// Afterwards the function is no longer called; waits for it if it is running.
  void stop();
  [[nodiscard]] bool is_active() const { return !pending_->is_done(); }

 private:
  void start_modern(Pending& acknowledged);
  void start_legacy();
  void take(const std::string& method, const Json& params, Pending& acknowledged);
  void note(std::string subject);
  void wait_for_acknowledgement(Pending& acknowledged, Clock::time_point deadline);
  void unsubscribe(std::size_t count);
  void call();

  const std::shared_ptr<Connection> connection_;
  const Heard heard_;
  const std::shared_ptr<Pending> pending_ = std::make_shared<Pending>();
  Mutex noting_;
  std::set<std::string> noted_ TOOLWIRE_GUARDED_BY(noting_);  // what the function is still to be called with
  Mutex calling_;
  std::function<void(const std::string&)> changed_ TOOLWIRE_GUARDED_BY(calling_);  // empty once stopped
};

}  // namespace toolwire::client
