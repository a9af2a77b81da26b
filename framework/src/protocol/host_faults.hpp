// What hosts get wrong of results that are right, and what keeps their users and models from losing these. Applied
// where results are written, for these hosts alone; to be removed with the faults.
#pragma once

#include "toolwire/json.hpp"
#include "toolwire/result.hpp"

namespace toolwire::protocol {

/// Of one client. A plain value.
struct HostFaults {
  /// Reads the first text of a result without structured content as JSON, takes what it finds for structured content,
  /// and then refuses the result unless that is an object.
  bool takes_text_for_structured = false;
  /// Shows its model texts, images and resources that are text, and nothing of links, sounds and bytes.
  bool drops_other_content = false;
  /// Shows its model the texts of a result as one, with nothing between them.
  bool joins_texts = false;
  /// Shows its model nothing of structured content that has no text beside it.
  bool needs_text = false;
};

/// By the name it gives itself in `clientInfo`.
HostFaults faults_of(const JsonObject& client_info);

/// Whether a client with these faults would refuse this result, or show its model less or something else;
/// `has_structured`: its structured content is sent.
bool would_spoil(const HostFaults& faults, const ToolResult& result, bool has_structured);

/// The same result in a form it takes and shows whole: what it would refuse says the same in an object as structured
/// content, too, and an error begins with "Error: "; what it would drop is named in a text; texts end with their line;
/// structured content has a text.
ToolResult acceptable(const HostFaults& faults, ToolResult result, bool has_structured);

}  // namespace toolwire::protocol
