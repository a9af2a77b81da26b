// The current manifest of a registry: everything that providers have registered, under one scenario. Independent of
// HTTP.
#pragma once

#include <memory>

#include <toolwire/bridge/manifest.hpp>
#include <toolwire/bridge/tool_registry.hpp>

#include "toolwire/detail/mutex.hpp"

namespace toolwire::bridge {

/// Thread-safe. The registry must outlive it.
class CurrentManifest {
 public:
  /// `base` gives the scenario and everything else but tools and categories. Its `generated_at` stands as long as the
  /// registry has the tools and categories of `base`; after that, the time of the registry's last change.
  CurrentManifest(Manifest base, const ToolRegistry& registry) : base_(std::move(base)), registry_(registry) {}

  /// The same pointer as long as nothing changes.
  std::shared_ptr<const Manifest> get();

 private:
  std::shared_ptr<const Manifest> make(const std::vector<ToolPointer>& tools) const;

  const Manifest base_;
  const ToolRegistry& registry_;
  Mutex mutex_;
  std::shared_ptr<const std::vector<ToolPointer>> tools_ TOOLWIRE_GUARDED_BY(mutex_);  // what `current_` was made of
  std::string changed_at_ TOOLWIRE_GUARDED_BY(mutex_);
  std::shared_ptr<const Manifest> current_ TOOLWIRE_GUARDED_BY(mutex_);
};

}  // namespace toolwire::bridge
