#include <algorithm>
#include <memory>
#include <stdexcept>
#include <utility>

#include "header_fields.hpp"
#include "toolwire/http/authenticators.hpp"
#include "toolwire/http/detail/header_text.hpp"

namespace toolwire::http {
namespace {

constexpr std::string_view not_the_proxy = "requests come through the proxy in front of this server";

void check_field(const std::string& name, const char* what) {
  if (!header_text::is_token(name))
    throw std::invalid_argument(std::string("TrustedProxy::") + what +
                                ": expected the name of a header field, found \"" + name + "\"");
}

void check(const TrustedProxy& proxy) {
  check_field(proxy.principal_field, "principal_field");
  if (!proxy.scopes_field.empty()) check_field(proxy.scopes_field, "scopes_field");
  if (proxy.secret_field.empty() != proxy.secret.empty())
    throw std::invalid_argument("TrustedProxy: expected secret_field and secret together");
  if (proxy.secret_field.empty() && proxy.users.empty())
    throw std::invalid_argument("TrustedProxy: expected a secret or users, or anybody could say who calls");
  if (proxy.secret_field.empty()) return;
  check_field(proxy.secret_field, "secret_field");
  if (proxy.secret.size() < min_known_token || !is_visible_ascii(proxy.secret))
    throw std::invalid_argument("TrustedProxy::secret: expected at least " + std::to_string(min_known_token) +
                                " visible ASCII characters");
}

/// The options, with what is looked for in lower case.
TrustedProxy prepared(TrustedProxy proxy) {
  check(proxy);
  for (std::string* field : {&proxy.principal_field, &proxy.scopes_field, &proxy.secret_field})
    *field = header_text::lower(*field);
  const auto is_same = [&](const std::string& one, const std::string& other) { return !one.empty() && one == other; };
  if (is_same(proxy.principal_field, proxy.scopes_field) || is_same(proxy.principal_field, proxy.secret_field) ||
      is_same(proxy.scopes_field, proxy.secret_field))
    throw std::invalid_argument("TrustedProxy: expected a field of its own for each");
  return proxy;
}

/// The value of a field that is there once, and not empty.
std::string_view only(const HeaderFields& fields, const std::string& name) {
  return fields.count(name) == 1 ? fields.value_or_empty(name) : std::string_view();
}

bool comes_from(const TrustedProxy& proxy, const Request& head, const HeaderFields& fields) {
  if (!proxy.secret.empty() && !is_secret(only(fields, proxy.secret_field), proxy.secret)) return false;
  return proxy.users.empty() || (head.peer && std::ranges::find(proxy.users, head.peer->user) != proxy.users.end());
}

/// Throws NotAuthenticated.
Principal judged(const Request& head, const TrustedProxy& proxy) {
  const HeaderFields fields(head.fields);
  if (!comes_from(proxy, head, fields)) throw NotAuthenticated(std::string(not_the_proxy));
  const std::string id(only(fields, proxy.principal_field));
  if (id.empty() || !is_principal_id(id)) throw NotAuthenticated("the proxy does not say who calls");
  return {id, proxy.scopes_field.empty() ? std::vector<std::string>() : words_in(only(fields, proxy.scopes_field))};
}

}  // namespace

Authenticate trusted_proxy(TrustedProxy proxy) {
  return [proxy = std::make_shared<const TrustedProxy>(prepared(std::move(proxy)))](const Request& head,
                                                                                    Done<Principal> done) {
    try {
      done(judged(head, *proxy));
    } catch (const NotAuthenticated&) {
      done.fail(std::current_exception());
    }
  };
}

}  // namespace toolwire::http
