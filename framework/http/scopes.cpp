#include "scopes.hpp"

#include <algorithm>
#include <string_view>

#include "protocol/scopes.hpp"
#include "well_known.hpp"

namespace toolwire::http {
namespace {

using Scopes = std::vector<std::string>;

/// The second is asked of an authorization server, and no resource needs it (2026-07-28 basic/authorization, refresh
/// tokens).
bool is_left_out(const std::string& scope) { return !is_scope(scope) || scope == "offline_access"; }

Scopes needed_by(std::span<const jsonrpc::Request> requests, const protocol::Service& service, const Sender& sender) {
  Scopes all;
  for (const jsonrpc::Request& request : requests) {
    if (!request.params_usable) continue;
    const JsonObject& params = request.params.get_object();
    auto asker = asker_of(params, sender);
    protocol::add_missing(all, protocol::needed_scopes(request.method, params, service, asker));
  }
  return all;
}

}  // namespace

std::string scope_challenge(const ProtectedResource* resource, const Scopes& needed, const Principal& principal) {
  static const ProtectedResource unknown;
  Scopes all = needed;
  if (resource != nullptr) protocol::add_missing(all, resource->scopes);
  protocol::add_missing(all, principal.scopes);
  std::erase_if(all, is_left_out);
  return challenge_for(resource != nullptr ? *resource : unknown, all, "insufficient_scope", {});
}

std::optional<Refusal> refused_for_scopes(std::span<const jsonrpc::Request> requests, const protocol::Service& service,
                                          const Sender& sender, const ProtectedResource* resource) {
  if (!protocol::may_need_scopes(service) || is_yet_to_be_named(sender, service)) return std::nullopt;
  Scopes needed;
  try {
    needed = needed_by(requests, service, sender);
  } catch (...) {  // as ToolInfo::scopes_of_call may: it is refused on its way, with a line in the log
    return std::nullopt;
  }
  if (protocol::has_all(sender.principal, needed)) return std::nullopt;
  const ProtocolError error = protocol::refusal_for_scopes(needed);
  const std::string_view id = requests.size() == 1 ? std::string_view(requests.front().id.text) : std::string_view();
  return Refusal{.status = 403,
                 .body = error_body(error.code, error.what(), id, to_json_text(error.data)),
                 .fields = {{"WWW-Authenticate", scope_challenge(resource, needed, sender.principal)}}};
}

}  // namespace toolwire::http
