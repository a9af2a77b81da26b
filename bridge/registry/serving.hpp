// Keeps the tools of a server in step with a Registry. Knows neither how calls run nor the wire.
#pragma once

#include <map>
#include <memory>
#include <string>
#include <vector>

#include <toolwire/bridge/bridge.hpp>

#include "toolwire/detail/mutex.hpp"

namespace toolwire::bridge {

/// Thread-safe. Follows the registry as long as it lives; the registry and the server must outlive it. Its lock is held
/// while it reads the one and changes the other, so that changes reach hosts in their order; neither calls back.
class Serving : public std::enable_shared_from_this<Serving> {
 public:
  Serving(Registry& registry, Server& server, BridgeOptions options);

  /// Once, after construction.
  void follow();
  /// Offers what is registered now. Hosts are notified only if they would see a difference.
  void refresh();
  void pause();
  void go_on();
  /// `_meta` of tools/list besides the categories and the time of the last change.
  void describe(JsonObject meta);

 private:
  struct Offered {
    ToolInfo info;
    std::string name;  // in the registry
  };
  using Offers = std::map<std::string, Offered, std::less<>>;  // by the name hosts see

  ToolChanges changes(const std::vector<ToolPointer>& tools, Offers& now) const TOOLWIRE_REQUIRES(mutex_);
  void change_one_by_one(ToolChanges changes, Offers& now) TOOLWIRE_REQUIRES(mutex_);
  Tool served(const std::string& name, ToolInfo info) const;
  void describe_list() TOOLWIRE_REQUIRES(mutex_);

  Registry& registry_;
  Server& server_;
  const BridgeOptions options_;
  Mutex mutex_;
  Offers offered_ TOOLWIRE_GUARDED_BY(mutex_);
  std::vector<std::string> order_ TOOLWIRE_GUARDED_BY(mutex_);
  JsonObject list_meta_ TOOLWIRE_GUARDED_BY(mutex_);
  int pauses_ TOOLWIRE_GUARDED_BY(mutex_) = 0;
  bool changed_ TOOLWIRE_GUARDED_BY(mutex_) = false;  // while paused
};

}  // namespace toolwire::bridge
