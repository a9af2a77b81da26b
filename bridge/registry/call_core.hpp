// What all calls of one Registry share: tools, Activities, policy, rates. Independent of any one call.
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include <toolwire/bridge/registry.hpp>
#include <toolwire/stores.hpp>

#include "system/timers.hpp"
#include "toolwire/detail/mutex.hpp"

namespace toolwire::bridge {

/// The policies as one call finds them when it begins.
struct Policies {
  std::shared_ptr<Approval> approval = {};
  std::shared_ptr<const Confirmation> confirmation = {};
  std::shared_ptr<const Decorator> decorator = {};
  std::vector<std::shared_ptr<Observer>> observers = {};
};

/// Those of an engine; without one, those that all registries of the process share, to save threads.
std::shared_ptr<Timers> timers_on(const std::shared_ptr<Engine>& engine);

/// Thread-safe. Shared by the Registry and its calls, which may outlive it.
class CallCore {
 public:
  explicit CallCore(RegistryOptions registry_options)
      : options(std::move(registry_options)),
        rates(options.rates ? options.rates : memory_rate_store()),
        timers(timers_on(options.engine)) {}
  CallCore(const CallCore&) = delete;
  CallCore& operator=(const CallCore&) = delete;

  const RegistryOptions options;
  ToolRegistry tools;
  ActivityRegistry activities;
  const std::shared_ptr<RateStore> rates;
  const std::shared_ptr<Timers> timers;  // of deadlines

  Resolution resolve(const ToolDefinition& tool) const { return bridge::resolve(tool, activities, options.dangling); }

  std::shared_ptr<const Policies> policies() const;
  /// Calls `change` with a copy that becomes the policies of calls from then on.
  template <class Change>
  void change_policies(Change change) {
    const MutexLock lock(mutex_);
    Policies changed = *policies_;
    change(changed);
    policies_ = std::make_shared<const Policies>(std::move(changed));
  }

  /// What runs the tool now, decorated; null if there is nothing.
  ActivityPointer activity_for(const ToolPointer& tool, const Resolution& resolution, const Policies& policies);
  /// Forgets decorated Activities that are no longer used.
  void forget_unused();

  void enable(std::string_view tool, bool enabled);
  void on_enabling(std::function<void()> listener);
  bool is_enabled(const ToolDefinition& tool) const;

 private:
  struct Decorated {
    ToolPointer tool;
    ActivityPointer inner;
    std::shared_ptr<const Decorator> decorator;
    ActivityPointer outer;
  };
  ActivityPointer plain_activity(const ToolPointer& tool, const Resolution& resolution) const;
  ActivityPointer decorated(const ToolPointer& tool, const ActivityPointer& inner, const Policies& policies);

  mutable Mutex mutex_;
  std::shared_ptr<const Policies> policies_ TOOLWIRE_GUARDED_BY(mutex_) = std::make_shared<const Policies>();
  std::unordered_map<std::string, Decorated> decorated_ TOOLWIRE_GUARDED_BY(mutex_);
  std::unordered_map<std::string, bool> enabled_ TOOLWIRE_GUARDED_BY(mutex_);
  std::vector<std::function<void()>> enabling_listeners_ TOOLWIRE_GUARDED_BY(mutex_);
};

}  // namespace toolwire::bridge
