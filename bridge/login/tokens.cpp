#include "login/tokens.hpp"

#include <algorithm>
#include <charconv>
#include <utility>

#include <toolwire/json_members.hpp>
#include <toolwire/redact.hpp>
#include <toolwire/text.hpp>

#include <toolwire/http/detail/header_text.hpp>

namespace toolwire::bridge::login {
namespace {

constexpr const char* assertion_type = "urn:ietf:params:oauth:client-assertion-type:jwt-bearer";
constexpr std::size_t max_token = 32'768;  // bytes
constexpr std::size_t max_shown = 200;
constexpr std::int64_t longest_life = std::int64_t{10} * 365 * 86'400;

/// Fit for a header field.
bool is_token_text(std::string_view text) {
  return !text.empty() && text.size() <= max_token &&
         std::ranges::all_of(text, [](char c) { return c > ' ' && c < 0x7f; });
}

/// What the endpoint says of an error, without what it was told.
std::string said_in(const Json& json, const std::vector<std::string>& secrets) {
  std::string said = text_or(json, "error");
  if (const std::string more = text_or(json, "error_description"); !more.empty()) said += ": " + more;
  said = without(text::stripped(said), secrets);
  return said.empty() ? said : ", \"" + std::string(text::head(said, max_shown)) + "\"";
}

Json json_in(const std::string& body) {
  try {
    return parse_json(body);
  } catch (const JsonError&) {
    return {};
  }
}

/// As a number, or as the text of one, which some servers send.
std::int64_t seconds_in(const Json& json) {
  std::int64_t seconds = 0;
  if (json.is_number()) {
    const double stated = json.to_number<double>();
    seconds = stated > 0 && stated < static_cast<double>(longest_life) ? static_cast<std::int64_t>(stated) : 0;
  } else if (json.is_string()) {
    const std::string_view text = json.get_string();
    std::from_chars(text.data(), text.data() + text.size(), seconds);
  }
  return std::clamp<std::int64_t>(seconds, 0, longest_life);
}

/// A form of this client, which says who it is.
struct ClientQuestion {
  Form form = {};
  HttpHeaders headers = {};
  std::vector<std::string> secrets = {};  // that are not shown when the answer repeats them
};

ClientQuestion question_of(const OAuthClient& client, Form form) {
  ClientQuestion made{.form = std::move(form), .secrets = {client.secret}};
  if (client.auth_method == auth_basic) {
    made.headers.emplace_back("Authorization", basic_credentials(client.id, client.secret));
    return made;
  }
  made.form.emplace_back("client_id", client.id);
  if (client.auth_method == auth_post) made.form.emplace_back("client_secret", client.secret);
  if (client.auth_method == auth_key) {
    const std::string assertion = client_assertion(client.key, client.id, client.issuer);
    made.form.emplace_back("client_assertion_type", assertion_type);
    made.form.emplace_back("client_assertion", assertion);
    made.secrets.push_back(assertion);
  }
  return made;
}

HttpResponse answer_to(const ClientQuestion& question, const Asking& asking, const std::string& endpoint) {
  return asking.post(endpoint, "application/x-www-form-urlencoded", form_text(question.form), question.headers);
}

/// A token that it does not know is answered with 200, too (RFC 7009 §2.2).
void revoke(const Asking& asking, const std::string& endpoint, const OAuthClient& client, const std::string& token,
            const char* kind) {
  ClientQuestion question = question_of(client, {{"token", token}, {"token_type_hint", kind}});
  const HttpResponse answer = answer_to(question, asking, endpoint);
  if (answer.status == 200) return;
  question.secrets.push_back(token);
  throw LoginError(http_origin_of(endpoint).value_or("") + " does not take the " + kind + " back (HTTP " +
                   std::to_string(answer.status) + said_in(json_in(answer.body), question.secrets) + ")");
}

Tokens tokens_in(const Json& json, const std::string& who, const std::vector<std::string>& asked) {
  Tokens made{.access = text_or(json, "access_token"), .refresh = text_or(json, "refresh_token")};
  if (!is_token_text(made.access))
    throw LoginError(who + " gave no token: expected \"access_token\", of visible ASCII characters");
  if (header_text::lower(text_member(json, "token_type")) != "bearer")
    throw LoginError(who + " gave a token of another type: expected the \"token_type\" \"Bearer\", found \"" +
                     text::stripped(text::head(text_member(json, "token_type"), max_shown)) + "\"");
  if (made.refresh.size() > max_token) throw LoginError(who + " gave a refresh token that is too large");
  made.given = seconds_now();
  if (const std::int64_t life = seconds_in(member_or_null(json, "expires_in")); life > 0)
    made.expires = made.given + life;
  made.scopes = find_member(json, "scope") == nullptr ? asked : scopes_in(text_member(json, "scope"));
  return made;
}

}  // namespace

std::int64_t seconds_now() {
  return std::chrono::duration_cast<std::chrono::seconds>(std::chrono::system_clock::now().time_since_epoch()).count();
}

Tokens request_tokens(const Asking& asking, const std::string& endpoint, Form form, const OAuthClient& client,
                      const std::vector<std::string>& asked) {
  ClientQuestion question = question_of(client, std::move(form));
  for (const auto& [name, value] : question.form) {
    if (name == "code" || name == "code_verifier" || name == "refresh_token") question.secrets.push_back(value);
  }
  const HttpResponse answer = answer_to(question, asking, endpoint);
  const std::string who = http_origin_of(endpoint).value_or("");
  const Json json = json_in(answer.body);
  const std::string_view error = text_member(json, "error");
  if (answer.success() && error.empty()) return tokens_in(json, who, asked);  // GitHub says with 200 why not
  const std::string text =
      who + " gives no token (HTTP " + std::to_string(answer.status) + said_in(json, question.secrets) + ")";
  if (error == "invalid_client" || error == "unauthorized_client") throw RefusedClient(text);
  if (error == "invalid_grant" || error == "bad_refresh_token") throw RefusedGrant(text);
  if (error == "invalid_scope") throw RefusedScopes(text);
  throw LoginError(text);
}

Tokens refreshed(const Asking& asking, const std::string& endpoint, const std::string& resource,
                 const OAuthClient& client, const Tokens& before) {
  const Form form{{"grant_type", "refresh_token"}, {"refresh_token", before.refresh}, {"resource", resource}};
  Tokens made = request_tokens(asking, endpoint, form, client, before.scopes);
  if (made.refresh.empty()) made.refresh = before.refresh;
  return made;
}

void revoke(const Asking& asking, const std::string& endpoint, const OAuthClient& client, const Tokens& tokens) {
  if (!tokens.refresh.empty()) revoke(asking, endpoint, client, tokens.refresh, "refresh_token");
  if (!tokens.access.empty()) revoke(asking, endpoint, client, tokens.access, "access_token");
}

}  // namespace toolwire::bridge::login
