// Who runs a tool: an Activity, or the model itself. Decided whenever tools are listed or called, never when they are
// registered, so that an Activity can come and go.
#pragma once

#include <string>

#include <toolwire/bridge/activity_registry.hpp>
#include <toolwire/bridge/definition.hpp>

namespace toolwire::bridge {

/// What happens when `_activity` names no registered Activity: the call fails and says so, because no model may make up
/// what `sendEmail` did; or the model fills `_output`.
enum class Dangling { fail, latent };

struct Resolution {
  std::string activity = {};  // its name; empty: latent
  bool dangling = false;      // there is none with that name
  bool is_latent() const { return activity.empty(); }
  bool operator==(const Resolution&) const = default;
};

/// 1. `_activity` as its author wrote it, "" meaning latent; 2. an Activity named like the tool; 3. latent.
Resolution resolve(const ToolDefinition& tool, const ActivityRegistry& activities, Dangling dangling = Dangling::fail);

}  // namespace toolwire::bridge
