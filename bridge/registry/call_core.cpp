#include "registry/call_core.hpp"

#include <utility>

#include "registry/latent_activity.hpp"
#include "system/engine_timers.hpp"

namespace toolwire::bridge {

std::shared_ptr<const Policies> CallCore::policies() const {
  const MutexLock lock(mutex_);
  return policies_;
}

ActivityPointer CallCore::activity_for(const ToolPointer& tool, const Resolution& resolution,
                                       const Policies& policies) {
  ActivityPointer inner = plain_activity(tool, resolution);
  return inner && policies.decorator ? decorated(tool, inner, policies) : inner;
}

ActivityPointer CallCore::plain_activity(const ToolPointer& tool, const Resolution& resolution) const {
  return resolution.is_latent() ? latent_activity(tool, options.latent) : activities.find(resolution.activity);
}

/// The decorator runs without the lock; of two calls that come first together, one uses its own decoration once.
ActivityPointer CallCore::decorated(const ToolPointer& tool, const ActivityPointer& inner, const Policies& policies) {
  const std::string& name = tool->definition.name;
  const bool latent = inner->kind() == latent_kind;
  {
    const MutexLock lock(mutex_);
    const auto known = decorated_.find(name);
    if (known != decorated_.end() && known->second.tool == tool && known->second.decorator == policies.decorator &&
        (known->second.inner == inner || (latent && known->second.inner->kind() == latent_kind)))
      return known->second.outer;
  }
  Decorated fresh{tool, inner, policies.decorator, (*policies.decorator)(tool->definition, inner)};
  if (!fresh.outer) fresh.outer = inner;
  ActivityPointer outer = fresh.outer;
  const MutexLock lock(mutex_);
  std::swap(decorated_[name], fresh);
  return outer;
}

void CallCore::forget_unused() {
  std::unordered_map<std::string, Decorated> looked_at;
  {
    const MutexLock lock(mutex_);
    looked_at.swap(decorated_);
  }
  std::erase_if(looked_at, [this](const auto& entry) {
    const Decorated& one = entry.second;
    if (tools.find(entry.first) != one.tool) return true;
    return one.inner->kind() != latent_kind && activities.find(resolve(one.tool->definition).activity) != one.inner;
  });
  const MutexLock lock(mutex_);
  decorated_.merge(looked_at);
}

void CallCore::enable(std::string_view tool, bool enabled) {
  std::vector<std::function<void()>> listeners;
  {
    const MutexLock lock(mutex_);
    enabled_[std::string(tool)] = enabled;
    listeners = enabling_listeners_;
  }
  for (const auto& listener : listeners) listener();
}

void CallCore::on_enabling(std::function<void()> listener) {
  const MutexLock lock(mutex_);
  enabling_listeners_.push_back(std::move(listener));
}

bool CallCore::is_enabled(const ToolDefinition& tool) const {
  const MutexLock lock(mutex_);
  const auto said = enabled_.find(tool.name);
  return said != enabled_.end() ? said->second : tool.metadata.enabled_by_default;
}

std::shared_ptr<Timers> timers_on(const std::shared_ptr<Engine>& engine) {
  if (engine) return std::make_shared<EngineTimers>(engine);
  static const auto of_process = std::make_shared<EngineTimers>(std::make_shared<Engine>(EngineOptions{.threads = 1}));
  return of_process;
}

}  // namespace toolwire::bridge
