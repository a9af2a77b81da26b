// What a server that takes the tokens of an authorization server says about itself: where clients get one (RFC 9728),
// and what was wrong with theirs (RFC 6750 §3; 2026-07-28 basic/authorization). Plain values; no token is looked at.
#pragma once

#include <functional>
#include <map>
#include <string>
#include <string_view>
#include <toolwire/context.hpp>
#include <toolwire/http/exchange.hpp>
#include <vector>

namespace toolwire::http {

/// A server as its clients and their authorization servers know it.
struct ProtectedResource {
  /// The URL that clients call it by, without query: "https://mcp.example.com/mcp"; http on this machine only.
  std::string resource = {};
  /// Issuers whose tokens it takes, as their own metadata names them; at least one: "https://login.example.com".
  std::vector<std::string> authorization_servers = {};
  std::vector<std::string> scopes = {};  // that a token needs for any request; tools may need more (ToolInfo::scopes)
  /// Further ones in `scopes_supported` of the metadata. Clients that are told of no scope ask for all of these at
  /// once; without this each asks for more when a tool needs it.
  std::vector<std::string> offered_scopes = {};
  /// What a broader scope grants as well: {"files", {"files:read", "files:write"}}. Again with what these grant.
  std::map<std::string, std::vector<std::string>, std::less<>> implied_scopes = {};
};

/// Throws std::invalid_argument that says what was expected.
void check(const ProtectedResource& resource);

/// Where its metadata is, with the path inserted (RFC 9728 §3.1):
/// "https://mcp.example.com/.well-known/oauth-protected-resource/mcp".
std::string metadata_url(const ProtectedResource& resource);

/// The answer to a request for its metadata, for which nobody needs a token: GET and HEAD. `Port::resource` sends it
/// at the path of `metadata_url`, and at "/.well-known/oauth-protected-resource".
Reply metadata_reply(const ProtectedResource& resource, std::string_view method);

/// Adds to its scopes what they imply. A handler does so with HandlerOptions::resource, and jwt_authenticator with its
/// own.
void grant_implied(Principal& principal, const ProtectedResource& resource);

/// What WWW-Authenticate says, with the scopes that are needed. `error`: "invalid_token" or "insufficient_scope", or
/// empty where there was no token. `description`: for people; what cannot stand there is left out.
std::string challenge(const ProtectedResource& resource, std::string_view error = {},
                      std::string_view description = {});

/// Why `url` cannot be that of an authorization server or a resource, in words that follow "expected"; empty if it can:
/// https, or http on this machine, a host, no user name, query or fragment, and nothing but visible ASCII.
std::string wrong_identifier(std::string_view url);

}  // namespace toolwire::http
