// Who calls a server, as somebody has made sure who can know: an authenticator of a port, the program behind
// ServerOptions::identify, or the server that passes a call on. A plain value.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "toolwire/json.hpp"

namespace toolwire {

/// The most bytes that the id of a principal may have.
inline constexpr std::size_t max_principal_id = 256;

struct Principal {
  Principal() = default;
  Principal(std::string name, std::vector<std::string> granted = {}, JsonObject said = {})
      : id(std::move(name)), scopes(std::move(granted)), claims(std::move(said)) {}
  Principal(const char* name) : id(name) {}

  /// What outlives a request is bound to it, so no two callers have the same: a line of UTF-8, of at most
  /// `max_principal_id` bytes, into which the server does not look. Empty: nobody in particular, who shares all with
  /// others of no name.
  std::string id = {};
  /// What was granted to it (RFC 6749 §3.3). The server decides nothing by them: tools and `Visible` do.
  std::vector<std::string> scopes = {};
  /// What else is known of it, such as the claims of its token. Of this request: nothing keeps it.
  JsonObject claims = {};

  bool has_scope(std::string_view scope) const;
};

/// Whether it can be the id of a principal; the empty one is.
bool is_principal_id(std::string_view text);

}  // namespace toolwire
