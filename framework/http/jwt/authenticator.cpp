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

class JwtAuthenticator : public std::enable_shared_from_this<JwtAuthenticator> {
 public:
  explicit JwtAuthenticator(JwtOptions options)
      : rules_(options),
        resource_(std::move(options.resource)),
        keys_(std::make_shared<KeptKeys>(rules_.issuer, rules_.algorithms, std::move(options.fetch_keys))) {}

  void authenticate(const Request& head, Done<Principal> done) const {
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
  void verify(UnverifiedToken token, Done<Principal>&& done) const {
    auto waiting = std::make_shared<std::pair<UnverifiedToken, Done<Principal>>>(std::move(token), std::move(done));
    const UnverifiedToken& given = waiting->first;
    keys_->with(given.key_id, *given.algorithm, [self = shared_from_this(), waiting](const KeptKeys::Keys& keys) {
      self->judge(waiting->first, keys, waiting->second);
    });
  }

  void judge(const UnverifiedToken& token, const KeptKeys::Keys& keys, Done<Principal>& done) const {
    try {
      if (!keys) throw std::runtime_error("there are no keys");  // 503
      Principal principal = jwt::judged(jwt::verified_claims(token, *keys), rules_, std::chrono::system_clock::now());
      grant_implied(principal, resource_);
      if (!jwt::has_scopes(principal, rules_))
        throw NotAllowed("the token lacks a scope that is needed", challenge(resource_, "insufficient_scope"));
      done(std::move(principal));
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
  return [made](const Request& head, Done<Principal> done) { made->authenticate(head, std::move(done)); };
}

}  // namespace toolwire::http
