// Decides who may use the provider at all: names in `Host`, web pages, the bearer token. Takes values, returns a value.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "http/message.hpp"

namespace toolwire::bridge::http {

/// Whether an address or name given to listen on is this machine alone: "127.0.0.1" and its like, "::1", "localhost".
bool is_loopback(std::string_view host);

struct GuardRules {
  std::vector<std::string> hosts = {};    // names that `Host` may have, without port; empty: any
  std::vector<std::string> origins = {};  // of web pages that may ask, besides the provider's own
  std::string token = {};                 // empty: none is asked for
};

/// The names that `Host` may have: those of loopback if it listens there, the address itself, and those given. Beyond
/// loopback and without given names any will do: there the token decides.
std::vector<std::string> accepted_hosts(const std::string& listened, const std::vector<std::string>& given);

/// The answer to a request that is refused: 400 without a usable `Host`, 401 without the token, 403 for a web page of
/// another site, 421 for a name that is not accepted.
std::optional<Answer> refusal(const Request& request, const GuardRules& rules);

}  // namespace toolwire::bridge::http
