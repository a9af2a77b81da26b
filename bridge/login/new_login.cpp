#include "login/new_login.hpp"

#include <algorithm>
#include <utility>

#include <toolwire/text.hpp>

#include "login/codes.hpp"
#include "login/redirect_listener.hpp"
#include "login/registration.hpp"

namespace toolwire::bridge::login {
namespace {

constexpr std::size_t code_bytes = 32;  // 256 bits that nobody guesses
constexpr std::size_t max_shown = 200;
constexpr std::string_view for_later = "offline_access";

/// A server may let in who only introduces itself; and some know no introductions any more.
std::vector<std::pair<std::string, HttpHeaders>> first_messages() {
  return {
      {R"({"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"2025-11-25","capabilities":{},)"
       R"("clientInfo":{"name":"toolwire-bridge","version":"1"}}})",
       {}},
      {R"({"jsonrpc":"2.0","id":2,"method":"tools/list","params":{"_meta":{)"
       R"("io.modelcontextprotocol/protocolVersion":"2026-07-28",)"
       R"("io.modelcontextprotocol/clientInfo":{"name":"toolwire-bridge","version":"1"},)"
       R"("io.modelcontextprotocol/clientCapabilities":{}}}})",
       {{"MCP-Protocol-Version", "2026-07-28"}, {"Mcp-Method", "tools/list"}}}};
}

std::string with_query(const std::string& url, const Form& form) {
  return url + (url.find('?') == std::string::npos ? "?" : "&") + form_text(form);
}

/// The port of a client that registered itself before, if that is free.
std::unique_ptr<RedirectListener> listener_for(const LoginSettings& settings, const std::optional<OAuthClient>& known,
                                               const std::string& state) {
  if (settings.callback_port != 0) return std::make_unique<RedirectListener>(settings.callback_port, state);
  if (known && known->port != 0) {
    try {
      return std::make_unique<RedirectListener>(known->port, state);
    } catch (const LoginError&) {  // another program has it now: registered anew
    }
  }
  return std::make_unique<RedirectListener>(std::uint16_t{0}, state);
}

void check(const RedirectAnswer& answer, const AuthorizationServer& server) {
  const bool is_missing = server.names_itself && !answer.names_issuer;
  if (is_missing || (answer.names_issuer && answer.issuer != server.issuer))
    throw LoginError(
        "the answer to the login is not of the authorization server that was asked: expected \"iss\" to "
        "be " +
        server.issuer + (is_missing ? ", found none" : ""));
  if (!answer.error.empty()) {
    std::string said = answer.error;
    if (!answer.error_description.empty()) said += ": " + answer.error_description;
    throw LoginError("the authorization server refuses the login: \"" + text::stripped(text::head(said, max_shown)) +
                     "\"");
  }
  if (answer.code.empty()) throw LoginError("the answer to the login has no code: expected \"code\" once");
}

/// Those that are asked for in any case, and what the server has missed since.
std::vector<std::string> scopes_to_ask(const Discovered& found, const Challenge& challenge,
                                       const LoginSettings& settings, const std::optional<Login>& before,
                                       const std::vector<std::string>& more) {
  std::vector<std::string> scopes = union_of(first_scopes(found, challenge, settings), more);
  if (before && before->issuer == found.server.issuer && before->resource == found.resource && !before->wanted.empty())
    scopes = union_of(union_of(std::move(scopes), before->tokens.scopes), before->wanted);
  const auto& known = found.server.scopes;
  if (std::ranges::find(known, for_later) != known.end())
    scopes = union_of(std::move(scopes), {std::string(for_later)});
  return scopes;
}

Login login_of(const Asking& asking, const Discovered& found, OAuthClient client, Tokens tokens) {
  return {.url = asking.url(),
          .resource = found.resource,
          .issuer = found.server.issuer,
          .token_endpoint = found.server.token_endpoint,
          .revocation_endpoint = found.server.revocation_endpoint,
          .client = std::move(client),
          .tokens = std::move(tokens)};
}

class BrowserLogin {
 public:
  BrowserLogin(const Asking& asking, const LoginSettings& settings, Discovered found, std::vector<std::string> scopes)
      : asking_(asking), settings_(settings), found_(std::move(found)), scopes_(std::move(scopes)) {}

  Login run(const std::optional<OAuthClient>& known, const BrowserOptions& options) {
    const auto listener = listener_for(settings_, known, state_);
    const OAuthClient client = client_for(asking_, found_.server, settings_, known, listener->port(), scopes_);
    options.show(with_query(found_.server.authorization_endpoint, question(client, listener->port())));
    const RedirectAnswer answer = listener->wait(options.time);
    check(answer, found_.server);
    const Form form{{"grant_type", "authorization_code"},
                    {"code", answer.code},
                    {"redirect_uri", redirect_uri(listener->port())},
                    {"code_verifier", verifier_},
                    {"resource", found_.resource}};
    return login_of(asking_, found_, client,
                    request_tokens(asking_, found_.server.token_endpoint, form, client, scopes_));
  }

 private:
  Form question(const OAuthClient& client, std::uint16_t port) const {
    Form form{{"response_type", "code"},
              {"client_id", client.id},
              {"redirect_uri", redirect_uri(port)},
              {"state", state_},
              {"code_challenge", sha256_code(verifier_)},
              {"code_challenge_method", "S256"},
              {"resource", found_.resource}};
    if (!scopes_.empty()) form.emplace_back("scope", text_of(scopes_));
    // OpenID Connect gives lasting rights only to who is asked about them.
    if (std::ranges::find(scopes_, for_later) != scopes_.end()) form.emplace_back("prompt", "consent");
    return form;
  }

  const Asking& asking_;
  const LoginSettings& settings_;
  const Discovered found_;
  const std::vector<std::string> scopes_;
  const std::string state_ = random_code(code_bytes);
  const std::string verifier_ = random_code(code_bytes);
};

}  // namespace

std::optional<Challenge> challenge_of(const Asking& asking) {
  for (const auto& [message, fields] : first_messages()) {
    const HttpResponse answer = asking.send(message, fields);
    if (answer.status == 401 || answer.status == 403) return challenge_in(answer);
  }
  return std::nullopt;
}

Login log_in_with_browser(const Asking& asking, const LoginSettings& settings, const std::optional<Login>& before,
                          const BrowserOptions& options) {
  const std::optional<Challenge> made = challenge_of(asking);
  const Challenge challenge = made.value_or(Challenge{});
  Discovered found = discover(asking, challenge, settings);
  if (!made && !found.has_metadata)
    throw LoginError(http_origin_of(asking.url()).value_or("") +
                     " asks for no login: expected HTTP 401, or metadata at /.well-known/oauth-protected-resource");
  std::vector<std::string> scopes = scopes_to_ask(found, challenge, settings, before, options.scopes);
  std::optional<OAuthClient> known;
  if (before && before->issuer == found.server.issuer) known = before->client;
  return BrowserLogin(asking, settings, std::move(found), std::move(scopes)).run(known, options);
}

Login log_in_alone(const Asking& asking, const LoginSettings& settings, const Challenge& challenge,
                   const std::vector<std::string>& missing) {
  const Discovered found = discover(asking, challenge, settings);
  const std::vector<std::string> scopes = union_of(first_scopes(found, challenge, settings), missing);
  const OAuthClient client = client_for(asking, found.server, settings, std::nullopt, 0, scopes);
  Form form{{"grant_type", "client_credentials"}, {"resource", found.resource}};
  if (!scopes.empty()) form.emplace_back("scope", text_of(scopes));
  return login_of(asking, found, client, request_tokens(asking, found.server.token_endpoint, form, client, scopes));
}

}  // namespace toolwire::bridge::login
