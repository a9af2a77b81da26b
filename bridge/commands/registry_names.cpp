#include "commands/registry_names.hpp"

#include <utility>

#include <toolwire/bridge/manifest.hpp>

namespace toolwire::bridge {

RegistryNames::GatheredPointer RegistryNames::gather(std::shared_ptr<const std::vector<ToolPointer>> tools,
                                                     std::shared_ptr<const Preferences> preferences) {
  Gathered made{.tools = std::move(tools), .preferences = std::move(preferences)};
  for (const ToolPointer& tool : *made.tools) {
    const ToolDefinition& definition = tool->definition;
    made.names.insert(definition.name);
    made.names.insert(original_name(definition));
    if (const auto& wanted = made.preferences->preference(definition.name, definition.origin).name)
      made.names.insert(*wanted);
  }
  return std::make_shared<const Gathered>(std::move(made));
}

bool RegistryNames::has(const std::string& name, const std::shared_ptr<const Preferences>& preferences) const {
  auto tools = tools_.list();
  if (tools->empty()) return false;
  GatheredPointer current;
  {
    const MutexLock lock(mutex_);
    current = gathered_;
  }
  if (!current || current->tools != tools || current->preferences != preferences) {
    current = gather(std::move(tools), preferences);
    const MutexLock lock(mutex_);
    gathered_ = current;
  }
  return current->names.contains(name);
}

}  // namespace toolwire::bridge
