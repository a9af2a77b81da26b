#include "authorization/protect.hpp"

#include <utility>

#include "authorization/issuer_keys.hpp"
#include "system/secret_file.hpp"

namespace toolwire::bridge {

void protect(http::Port& port, const AuthorizationSettings& settings, std::shared_ptr<HttpClient> http) {
  if (settings.proxy) {
    http::TrustedProxy proxy = settings.proxy->fields;
    proxy.secret = first_line_of(settings.proxy->secret_file, "secret_file", "the secret of the proxy");
    port.authenticate = http::trusted_proxy(std::move(proxy));
    return;
  }
  http::JwtOptions tokens = settings.tokens;
  tokens.fetch_keys = issuer_keys(settings, std::move(http));
  port.authenticate = http::jwt_authenticator(std::move(tokens));
  port.resource = settings.tokens.resource;
}

}  // namespace toolwire::bridge
