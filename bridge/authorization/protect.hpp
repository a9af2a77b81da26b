// Has a port let in whom the configuration says, and nobody else.
#pragma once

#include <memory>

#include <toolwire/http/listen.hpp>

#include <toolwire/http/detail/http_client.hpp>
#include "authorization/settings.hpp"

namespace toolwire::bridge {

/// Where an authorization server gives out tokens, the port says where they are to be had, too. Throws
/// std::invalid_argument for settings that cannot be meant, std::runtime_error where there is no OpenSSL.
void protect(http::Port& port, const AuthorizationSettings& settings, std::shared_ptr<HttpClient> http);

}  // namespace toolwire::bridge
