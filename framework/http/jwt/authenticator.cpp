#include <chrono>
#include <exception>
#include <memory>
#include <optional>
#include <stdexcept>
#include <string>
#include <string_view>
#include <utility>

#include "header_fields.hpp"
#include "jwt/crypto_library.hpp"
#include "jwt/kept_keys.hpp"
#include "jwt/token.hpp"
#include "toolwire/http/jwt.hpp"

namespace toolwire::http {
namespace {

using jwt::InvalidToken;
using jwt::KeptKeys;
using jwt::UnverifiedToken;

constexpr std::string_view invalid = "invalid_token";

/// The text behind "Bearer" (RFC 6750 §2.1); nothing where another scheme, or none, is used.
std::optional<std::string_view> bearer_token(std::string_view authorization) {
  constexpr std::string_view scheme = "bearer";
  const std::size_t space = std::min(authorization.find(' '), authorization.size());
  if (lowered(authorization.substr(0, space)) != scheme) return std::nullopt;
  const std::size_t begin = std::min(authorization.find_first_not_of(' ', space), authorization.size());
  return authorization.substr(begin);
}

class JwtAuthenticator : public std::enable_shared_from_this<JwtAuthenticator> {
 public:
  explicit JwtAuthenticator(JwtOptions options)
      : rules_(options),
        resource_(std::move(options.resource)),
        keys_(std::make_shared<KeptKeys>(rules_.issuer, rules_.algorithms, std::move(options.fetch_keys))) {}

  void authenticate(const Request& head, Done<std::string> done) const {
    try {
      verify(jwt::take_apart(token_of(head), rules_), std::move(done));
    } catch (const InvalidToken& error) {
      done.fail(refused(invalid, error.what()));
    } catch (const NotAuthenticated&) {
      done.fail(std::current_exception());
    }
  }

 private:
  std::string_view token_of(const Request& head) const {
    const HeaderFields fields(head.fields);
    if (fields.count("authorization") > 1) throw InvalidToken("Authorization may occur once");
    const auto token = bearer_token(fields.value_or_empty("authorization"));
    if (!token || token->empty())
      throw NotAuthenticated("expected a token: Authorization: Bearer TOKEN", challenge(resource_));
    return *token;
  }

  /// `done` is taken only where nothing is thrown.
  void verify(UnverifiedToken token, Done<std::string>&& done) const {
    auto waiting = std::make_shared<std::pair<UnverifiedToken, Done<std::string>>>(std::move(token), std::move(done));
    const UnverifiedToken& given = waiting->first;
    keys_->with(given.key_id, *given.algorithm, [self = shared_from_this(), waiting](const KeptKeys::Keys& keys) {
      self->judge(waiting->first, keys, waiting->second);
    });
  }

  void judge(const UnverifiedToken& token, const KeptKeys::Keys& keys, Done<std::string>& done) const {
    try {
      if (!keys) throw std::runtime_error("there are no keys");  // 503
      const jwt::Bearer bearer =
          jwt::judged(jwt::verified_claims(token, *keys), rules_, std::chrono::system_clock::now());
      if (!jwt::has_scopes(bearer, rules_))
        throw NotAllowed("the token lacks a scope that is needed", challenge(resource_, "insufficient_scope"));
      done(bearer.principal);
    } catch (const InvalidToken& error) {
      done.fail(refused(invalid, error.what()));
    } catch (...) {
      done.fail(std::current_exception());
    }
  }

  std::exception_ptr refused(std::string_view error, const std::string& why) const {
    return std::make_exception_ptr(NotAuthenticated(why, challenge(resource_, error, why)));
  }

  const jwt::Rules rules_;
  const ProtectedResource resource_;
  const std::shared_ptr<KeptKeys> keys_;
};

}  // namespace

Authenticate jwt_authenticator(JwtOptions options) {
  if (!options.fetch_keys) throw std::invalid_argument("signed tokens need JwtOptions::fetch_keys");
  const auto made = std::make_shared<const JwtAuthenticator>(std::move(options));
  jwt::crypto();
  return [made](const Request& head, Done<std::string> done) { made->authenticate(head, std::move(done)); };
}

}  // namespace toolwire::http
