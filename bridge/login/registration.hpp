// Who the bridge is for an authorization server: as it was registered by hand, as a document describes it, or as it
// registers itself (RFC 7591). Waits for the answers.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "login/tokens.hpp"

namespace toolwire::bridge::login {

/// "http://127.0.0.1:PORT/callback".
std::string redirect_uri(std::uint16_t port);

/// The client of these settings. `known`: one that registered itself at this server before; it is used again if it
/// came back at the same port and may ask for as much. `scopes`: that it is going to ask for. Throws LoginError.
OAuthClient client_for(const Asking& asking, const AuthorizationServer& server, const LoginSettings& settings,
                       const std::optional<OAuthClient>& known, std::uint16_t port,
                       const std::vector<std::string>& scopes);

}  // namespace toolwire::bridge::login
