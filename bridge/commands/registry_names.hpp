// The names under which hosts may see the tools of a registry, looked up for every call.
#pragma once

#include <memory>
#include <string>
#include <unordered_set>
#include <vector>

#include <toolwire/bridge/tool_registry.hpp>

#include "policy/preferences.hpp"
#include "toolwire/detail/mutex.hpp"

namespace toolwire::bridge {

/// Gathered anew only where the tools or the preferences are others than for the last look. Thread-safe.
class RegistryNames {
 public:
  /// The tools must outlive it.
  explicit RegistryNames(const ToolRegistry& tools) : tools_(tools) {}

  /// Whether `name` is that of a tool, or the one under which it may be seen: its name at the server it comes from, or
  /// one that the user has given it.
  bool has(const std::string& name, const std::shared_ptr<const Preferences>& preferences) const;

 private:
  /// Names no others than those of these tools with these preferences.
  struct Gathered {
    std::shared_ptr<const std::vector<ToolPointer>> tools;
    std::shared_ptr<const Preferences> preferences;
    std::unordered_set<std::string> names = {};
  };
  using GatheredPointer = std::shared_ptr<const Gathered>;
  static GatheredPointer gather(std::shared_ptr<const std::vector<ToolPointer>> tools,
                                std::shared_ptr<const Preferences> preferences);

  const ToolRegistry& tools_;
  mutable Mutex mutex_;
  mutable GatheredPointer gathered_ TOOLWIRE_GUARDED_BY(mutex_);
};

}  // namespace toolwire::bridge
