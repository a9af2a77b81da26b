// Keeps the tools of a server in step with a Registry. Knows neither how calls run nor the wire.
#pragma once

#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <vector>

#include <toolwire/bridge/bridge.hpp>

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

  ToolChanges changes(const std::vector<ToolPointer>& tools, Offers& now) const;
  void change_one_by_one(ToolChanges changes, Offers& now);
  Tool served(const std::string& name, ToolInfo info) const;
  void describe_list();

  Registry& registry_;
  Server& server_;
  const BridgeOptions options_;
  std::mutex mutex_;
  Offers offered_;
  std::vector<std::string> order_;
  JsonObject list_meta_;
  int pauses_ = 0;
  bool changed_ = false;  // while paused
};

}  // namespace toolwire::bridge
