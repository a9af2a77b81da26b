// What a server says in WWW-Authenticate (RFC 9110 § 11.6.1) of the tokens that it takes (RFC 6750 § 3). It makes no
// judgement.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <string_view>

#include "driver/http_reply.hpp"

namespace toolwire::conformance {

/// The parameters of a challenge, by their names in small letters.
using ChallengeParameters = std::map<std::string, std::string, std::less<>>;

/// Those of the first challenge of the scheme Bearer in the reply; nothing without one.
std::optional<ChallengeParameters> bearer_challenge(const HttpReply& reply);

/// Empty if it is not there.
std::string parameter(const std::optional<ChallengeParameters>& challenge, std::string_view name);

}  // namespace toolwire::conformance
