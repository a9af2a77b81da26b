// Scopes (RFC 6749 §3.3): what callers need to have been granted for a tool, a prompt or a resource (ToolInfo::scopes),
// and how they are refused. Knows nothing of tokens.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "protocol/asker.hpp"
#include "protocol/exchange.hpp"

namespace toolwire::protocol {

/// The error of who lacks a scope. The specification has none, and asks for new ones outside of the range of JSON-RPC
/// (2026-07-28 basic/index, error codes).
inline constexpr int insufficient_scope = 403;

/// Adds those of `more` that are not there yet.
void add_missing(std::vector<std::string>& scopes, const std::vector<std::string>& more);

/// All that a call of the tool needs. Throws what ToolInfo::scopes_of_call throws.
std::vector<std::string> scopes_of_call(const ToolInfo& tool, const Json& arguments);
/// All that such a request needs, by what it names and its sender sees; empty: nothing, or it names nothing that is
/// there. Throws what ToolInfo::scopes_of_call throws.
std::vector<std::string> needed_scopes(std::string_view method, const JsonObject& params, const Service& service,
                                       Asker& asker);
/// Whether any request may need some.
bool may_need_scopes(const Service& service);

bool has_all(const Principal& principal, const std::vector<std::string>& scopes);

/// The refusal of who lacks some of these.
ProtocolError refusal_for_scopes(const std::vector<std::string>& needed);
/// The scopes in the text of an answer that is such a refusal.
std::optional<std::vector<std::string>> scopes_in_refusal(std::string_view answer);

/// Throws such a refusal, unless its sender has them all. Who is nobody in particular has none over HTTP, and may do
/// all elsewhere.
void require_scopes(const std::vector<std::string>& needed, const Exchange& exchange);
/// The same for a call of a tool.
void require_scopes(const ToolInfo& tool, const Json& arguments, const Exchange& exchange);

}  // namespace toolwire::protocol
