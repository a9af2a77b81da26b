#include "login/registration.hpp"

#include <algorithm>
#include <array>
#include <utility>

#include <toolwire/json_members.hpp>
#include <toolwire/text.hpp>

#include "login/challenge.hpp"

namespace toolwire::bridge::login {
namespace {

constexpr std::size_t max_text = 8192;  // of an id or a secret, in bytes
constexpr std::size_t max_shown = 200;

bool takes(const AuthorizationServer& server, std::string_view method) {
  return std::ranges::find(server.auth_methods, method) != server.auth_methods.end();
}

/// The first of these that the server takes.
std::string method_of(const AuthorizationServer& server, const LoginSettings& settings, bool has_secret) {
  if (!settings.auth_method.empty()) return settings.auth_method;
  if (!has_secret) return std::string(auth_none);
  for (const std::string_view one : {auth_basic, auth_post}) {
    if (takes(server, one)) return std::string(one);
  }
  throw LoginError("the authorization server " + http_origin_of(server.issuer).value_or("") +
                   " takes no client secret: expected \"token_endpoint_auth_methods_supported\" with "
                   "\"client_secret_basic\" or \"client_secret_post\"");
}

/// A client without a secret first: it has nothing to lose.
std::string method_to_register(const AuthorizationServer& server, const LoginSettings& settings) {
  if (!settings.auth_method.empty()) return settings.auth_method;
  for (const std::string_view one : {auth_none, auth_basic, auth_post}) {
    if (takes(server, one)) return std::string(one);
  }
  throw LoginError("the authorization server " + http_origin_of(server.issuer).value_or("") +
                   " takes no client that registers itself: expected \"token_endpoint_auth_methods_supported\" with "
                   "\"none\", \"client_secret_basic\" or \"client_secret_post\"");
}

std::string registration_of(std::uint16_t port, const std::string& method, const std::vector<std::string>& scopes) {
  JsonObject wanted{{"client_name", "toolwire-bridge"},
                    {"application_type", "native"},
                    {"redirect_uris", JsonArray{redirect_uri(port)}},
                    {"grant_types", JsonArray{"authorization_code", "refresh_token"}},
                    {"response_types", JsonArray{"code"}},
                    {"token_endpoint_auth_method", method}};
  if (!scopes.empty()) wanted["scope"] = text_of(scopes);
  return to_json_text(wanted);
}

/// Whether it can ask for them all (RFC 7591, section 2: some servers hold a client to what it was registered with).
bool may_ask(const OAuthClient& client, const std::vector<std::string>& scopes) {
  const auto is_named = [&](const std::string& one) {
    return std::ranges::find(client.scopes, one) != client.scopes.end();
  };
  return client.scopes.empty() || std::ranges::all_of(scopes, is_named);
}

OAuthClient registered_in(const HttpResponse& answer, const std::string& who, std::uint16_t port, std::string method,
                          const std::vector<std::string>& scopes) {
  Json json;
  try {
    json = parse_json(answer.body);
  } catch (const JsonError&) {  // then it has no member
  }
  if (!answer.success()) {
    const std::string said = text_or(json, "error_description", text_or(json, "error"));
    throw LoginError(who + " does not register the bridge (HTTP " + std::to_string(answer.status) +
                     (said.empty() ? "" : ", \"" + text::stripped(text::head(said, max_shown)) + "\"") +
                     "); expected it to, or the \"client_id\" of a client that was registered by hand");
  }
  OAuthClient made{.id = text_or(json, "client_id"),
                   .secret = text_or(json, "client_secret"),
                   .auth_method = text_or(json, "token_endpoint_auth_method", std::move(method)),
                   .port = port,
                   .is_registered = true};
  if (find_member(json, "scope") != nullptr) made.scopes = union_of(scopes, scopes_in(text_member(json, "scope")));
  if (made.id.empty() || made.id.size() > max_text || made.secret.size() > max_text)
    throw LoginError(who + " registered the bridge without a \"client_id\" that can be used");
  constexpr std::array known{auth_none, auth_basic, auth_post};
  if (std::ranges::find(known, made.auth_method) == known.end())
    throw LoginError(who + " registered the bridge with a \"token_endpoint_auth_method\" it does not know: expected " +
                     "\"none\", \"client_secret_basic\" or \"client_secret_post\", found \"" +
                     text::stripped(text::head(made.auth_method, max_shown)) + "\"");
  if (made.secret.empty() != (made.auth_method == auth_none)) {
    if (made.secret.empty()) throw LoginError(who + " registered the bridge with a secret, and did not give it");
    made.secret.clear();  // that is never used is not kept
  }
  return made;
}

}  // namespace

std::string redirect_uri(std::uint16_t port) { return "http://127.0.0.1:" + std::to_string(port) + "/callback"; }

OAuthClient client_for(const Asking& asking, const AuthorizationServer& server, const LoginSettings& settings,
                       const std::optional<OAuthClient>& known, std::uint16_t port,
                       const std::vector<std::string>& scopes) {
  if (!settings.client_id.empty())
    return {.id = settings.client_id,
            .secret = settings.client_secret,
            .auth_method = method_of(server, settings, !settings.client_secret.empty()),
            .key = settings.client_key,
            .issuer = settings.issuer,
            .port = port};
  if (!settings.client_metadata_url.empty() && server.reads_client_documents)
    return {.id = settings.client_metadata_url, .port = port};
  if (known && known->is_registered && known->port == port && may_ask(*known, scopes)) return *known;
  const std::string who = "the authorization server " + http_origin_of(server.issuer).value_or("");
  if (server.registration_endpoint.empty())
    throw LoginError(who +
                     " lets no client register itself: expected the \"client_id\" of one that was registered by "
                     "hand, in \"oauth\" of the configuration");
  const std::string method = method_to_register(server, settings);
  return registered_in(
      asking.post(server.registration_endpoint, "application/json", registration_of(port, method, scopes)), who, port,
      method, scopes);
}

}  // namespace toolwire::bridge::login
