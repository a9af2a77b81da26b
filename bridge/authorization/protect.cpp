#include "authorization/protect.hpp"

#include <utility>

#include "authorization/issuer_keys.hpp"

namespace toolwire::bridge {

void protect(http::Port& port, const AuthorizationSettings& settings, std::shared_ptr<HttpClient> http) {
  http::JwtOptions tokens = settings.tokens;
  tokens.fetch_keys = issuer_keys(settings, std::move(http));
  port.authenticate = http::jwt_authenticator(std::move(tokens));
  port.resource = settings.tokens.resource;
}

}  // namespace toolwire::bridge
