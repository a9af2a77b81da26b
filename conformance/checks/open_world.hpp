// Tools that say they depend on other systems.
#pragma once

#include "probe/probe.hpp"

namespace toolwire::conformance {

/// Those systems must not be flooded, and how quick they are says nothing of this server.
inline bool says_open_world(const Probe& probe, const Callable& tool) {
  const Json* listed = probe.offer().tool(tool.name);
  return listed != nullptr && get(*listed, "annotations", "openWorldHint") == Json(true);
}

/// Whether there is a tool:text that may be called hundreds of times.
inline bool has_text_tool_for_many(const Probe& probe) {
  return probe.offer().has("tools") && probe.find("tool:text") && !says_open_world(probe, probe.need_tool("tool:text"));
}

}  // namespace toolwire::conformance
