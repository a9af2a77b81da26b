#include <toolwire/bridge/resolution.hpp>

namespace toolwire::bridge {

Resolution resolve(const ToolDefinition& tool, const ActivityRegistry& activities, Dangling dangling) {
  if (!tool.activity) return activities.find(tool.name) ? Resolution{tool.name} : Resolution{};
  if (tool.activity->empty() || activities.find(*tool.activity)) return Resolution{*tool.activity};
  return dangling == Dangling::latent ? Resolution{} : Resolution{*tool.activity, true};
}

}  // namespace toolwire::bridge
