// Named gates: how the tools of the fixture server wait for each other without a clock.
#pragma once

#include <condition_variable>
#include <map>
#include <mutex>
#include <optional>
#include <set>
#include <stop_token>
#include <string>
#include <utility>

#include "toolwire/reply.hpp"

namespace toolwire_test {

/// Thread-safe. A gate is closed until it is opened, and stays open.
class Gates {
 public:
  void open(const std::string& gate) {
    std::lock_guard lock(mutex_);
    open_.insert(gate);
    changed_.notify_all();
  }

  /// Waits until the gate is open; false if the token stopped it first.
  bool wait(const std::string& gate, const std::stop_token& stop) {
    std::unique_lock lock(mutex_);
    return changed_.wait(lock, stop, [&] { return open_.contains(gate); });
  }

  /// Keeps, under a name, the handle of a tool that answers later.
  void keep(const std::string& name, toolwire::Reply reply) {
    std::lock_guard lock(mutex_);
    replies_.insert_or_assign(name, std::move(reply));
  }
  std::optional<toolwire::Reply> take(const std::string& name) {
    std::lock_guard lock(mutex_);
    auto found = replies_.find(name);
    if (found == replies_.end()) return std::nullopt;
    std::optional<toolwire::Reply> reply(std::move(found->second));
    replies_.erase(found);
    return reply;
  }

 private:
  std::mutex mutex_;
  std::condition_variable_any changed_;
  std::set<std::string> open_;
  std::map<std::string, toolwire::Reply> replies_;
};

}  // namespace toolwire_test
