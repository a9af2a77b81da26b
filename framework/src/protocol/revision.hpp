// The revisions of the protocol as sets of traits, and which of them a request belongs to. Nothing outside of
// src/protocol compares revisions; the rest asks a trait.
#pragma once

#include <span>
#include <string_view>

#include "toolwire/json.hpp"

namespace toolwire::protocol {

struct Revision {
  std::string_view name;
  bool modern = false;   // no handshake; every request carries version and capabilities; results have resultType
  bool batches = false;  // JSON-RPC batches
  bool tool_annotations = false;  // hints of tools, audio content
  bool progress_message = false;
  bool completions = false;          // has a capability of its own
  bool structured_output = false;    // outputSchema, structuredContent
  bool any_structured_root = false;  // structured content need not be an object
  bool resource_links = false;
  bool titles = false;            // titles, _meta of tools, lastModified
  bool elicitation = false;       // the server may ask the user
  bool elicitation_mode = false;  // elicitation has modes; capabilities name them
  bool elicitation_ids = false;   // a page to open has an id, whose end can be told
  bool sampling_tools = false;    // models may use tools; messages have several blocks
  bool tasks = false;             // calls may become tasks, in one of the two ways that follow
  bool requested_tasks = false;   // the client asks for one, and capabilities tell so
  bool extensions = false;        // capabilities name extensions; that of tasks lets the server choose
  bool icons = false;             // icons, description and website of an implementation
};

std::span<const Revision> revisions();
/// Null if there is none with that name.
const Revision* find_revision(std::string_view name);
/// What `initialize` is answered with when it asks for a revision that has no handshake or does not exist.
const Revision& newest_legacy();
/// Names of the modern revisions, oldest first, as JSON.
JsonArray modern_names();

namespace meta_key {
inline constexpr std::string_view protocol_version = "io.modelcontextprotocol/protocolVersion";
inline constexpr std::string_view client_info = "io.modelcontextprotocol/clientInfo";
inline constexpr std::string_view client_capabilities = "io.modelcontextprotocol/clientCapabilities";
inline constexpr std::string_view log_level = "io.modelcontextprotocol/logLevel";
inline constexpr std::string_view server_info = "io.modelcontextprotocol/serverInfo";
inline constexpr std::string_view subscription_id = "io.modelcontextprotocol/subscriptionId";
}  // namespace meta_key

/// The revision a request belongs to: a pure function of its `_meta` and of what `initialize` negotiated (null: nothing
/// yet). Null for the requests that need none, `initialize` and `ping` before the handshake. Throws ProtocolError:
/// -32602 if the metadata is incomplete or nothing was negotiated, -32022 if it names a revision that cannot be
/// requested this way.
const Revision* revision_of(std::string_view method, const Json* meta, const Revision* negotiated);

}  // namespace toolwire::protocol
