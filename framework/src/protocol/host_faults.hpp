// What hosts get wrong of results that are right, and what keeps their users from losing these. Applied where results
// are written, for these hosts alone; to be removed with the faults.
#pragma once

#include "toolwire/json.hpp"
#include "toolwire/result.hpp"

namespace toolwire::protocol {

/// Of one client. A plain value.
struct HostFaults {
  /// Reads the first text of a result without structured content as JSON, takes what it finds for structured content,
  /// and then refuses the result unless that is an object.
  bool takes_text_for_structured = false;
};

/// By the name it gives itself in `clientInfo`.
HostFaults faults_of(const JsonObject& client_info);

/// Whether a client with these faults would refuse this result; `has_structured`: its structured content is sent.
bool would_refuse(const HostFaults& faults, const ToolResult& result, bool has_structured);

/// The same result in a form it takes: what it says is an object in the structured content, too; an error begins with
/// "Error: ".
ToolResult acceptable(ToolResult result);

}  // namespace toolwire::protocol
