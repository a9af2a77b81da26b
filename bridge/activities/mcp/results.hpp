// What a back-end's answer becomes for the host: its content unchanged, its failures with a code. Takes values, returns
// values.
#pragma once

#include <cstdint>
#include <exception>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include <toolwire/error.hpp>
#include <toolwire/json.hpp>
#include <toolwire/prompt.hpp>
#include <toolwire/resource.hpp>
#include <toolwire/result.hpp>

#include "process/passed_values.hpp"

namespace toolwire::bridge::mcp {

/// Why there is no result, with a code of the bridge: "unavailable", "back_end_error", "timeout", "cancelled", "busy",
/// "changed", "question_lost", "unauthorized", "too_large".
struct Trouble {
  std::string code = {};
  std::string text = {};
  bool retryable = false;
  std::optional<std::int64_t> retry_after_ms = {};
  bool is_unknown = false;  // the call may have been made: see unknown_outcome
  int refused_with = 0;     // the code of the back-end's JSON-RPC error, if it was one
  /// With error_code::missing_client_capability: what the host has not declared that it can do.
  std::optional<Json> required_capabilities = {};
};

using bridge::tool_result_from;
ToolResult tool_result_from(const Trouble& trouble);

/// A complete result of resources/read. `uri` is the one the back-end was asked for; those of its contents get `prefix`
/// before them. A ProtocolError if it holds no contents, or bytes that are not base64.
ResourceOutcome resource_outcome_from(const Json& raw, const std::string& uri, const std::string& prefix);
/// A complete result of prompts/get, its messages unchanged.
PromptOutcome prompt_outcome_from(const Json& raw);
/// For requests whose failures are JSON-RPC errors.
ProtocolError protocol_error_from(const Trouble& trouble);
/// Of a tool call: a result with an error, or the error that tells the host which capability it would have to declare.
AnyOutcome tool_outcome_from(const Trouble& trouble);

/// The reason why a request failed: connection lost, refused, timed out, cancelled. Texts name the `back_end`.
Trouble trouble_from(const std::exception_ptr& error, const std::string& back_end);
/// The same of the "error" of an answer that no client has read.
Trouble trouble_from_error(const Json& error, const std::string& back_end);

/// Whether a transport says it, of a request that did not reach the server or whose answer did not come.
bool is_of_the_way(const ProtocolError& error);

/// Whether a remote server has not carried it out, because it no longer knows the session.
bool was_of_a_lost_session(const std::exception_ptr& error);

/// Takes secrets out of the texts of a complete result that is an error.
void take_out(Json& result, const std::vector<std::string>& secrets);

/// `_meta` of a host's request as a back-end gets it: the members that may be passed on, and the capabilities the host
/// has declared for this request, as far as the bridge can pass questions on.
JsonObject meta_for_back_end(const JsonObject& meta);

/// Whether a back-end may ask this: elicitation/create, sampling/createMessage, roots/list.
bool may_ask(std::string_view method);

}  // namespace toolwire::bridge::mcp
