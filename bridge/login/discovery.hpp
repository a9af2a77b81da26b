// From the address of a server to the authorization server that lets into it (RFC 9728, RFC 8414, OpenID Connect
// Discovery 1.0; MCP basic/authorization). Waits for the answers.
#pragma once

#include <memory>
#include <stdexcept>
#include <string>
#include <vector>

#include <toolwire/http/detail/http_client.hpp>
#include "login/challenge.hpp"
#include "login/settings.hpp"

namespace toolwire::bridge::login {

/// Why somebody is not logged in; what() is a sentence for people, without secrets, that says what was expected.
struct LoginError : std::runtime_error {
  using std::runtime_error::runtime_error;
};

/// What an authorization server says of itself. A plain value.
struct AuthorizationServer {
  std::string issuer = {};
  std::string authorization_endpoint = {};
  std::string token_endpoint = {};
  std::string registration_endpoint = {};                             ///< Empty: clients cannot register themselves.
  std::string revocation_endpoint = {};                               ///< Empty: it takes no tokens back.
  std::vector<std::string> scopes = {};                               ///< That it knows, as far as it says.
  std::vector<std::string> auth_methods = {std::string(auth_basic)};  ///< Of its token endpoint.
  bool reads_client_documents = false;                                ///< A URL may be the id of a client.
  bool names_itself = false;                                          ///< Its answers say `iss` (RFC 9207).
};

/// Where a login begins. A plain value.
struct Discovered {
  std::string resource = {};             ///< What tokens are asked for (RFC 8707).
  std::vector<std::string> scopes = {};  ///< That the resource has, as far as it says.
  AuthorizationServer server = {};
  bool has_metadata = false;  ///< The server says itself where one logs in.
};

/// Who asks, and within which bounds. Not in a callback of the HTTP client.
class Asking {
 public:
  /// `url`: of the MCP server. What it names may be on this machine only if it is there itself, and elsewhere at public
  /// addresses only, but for its own origin and that of the issuer in the settings.
  /// `headers`: that the server itself is sent.
  Asking(std::shared_ptr<HttpClient> http, std::string url, std::string trusted_issuer, HttpHeaders headers = {})
      : http_(std::move(http)),
        url_(std::move(url)),
        issuer_(std::move(trusted_issuer)),
        headers_(std::move(headers)) {}

  [[nodiscard]] HttpResponse get(const std::string& url) const { return ask({.url = url}); }
  [[nodiscard]] HttpResponse post(const std::string& url, const std::string& type, std::string body,
                                  HttpHeaders headers = {}) const;
  /// A message for the MCP server.
  [[nodiscard]] HttpResponse send(std::string message, const HttpHeaders& fields) const;
  [[nodiscard]] const std::string& url() const { return url_; }

 private:
  HttpResponse ask(HttpRequest request) const;
  [[nodiscard]] HttpOrigin origin_of(const std::string& url) const;

  const std::shared_ptr<HttpClient> http_;
  const std::string url_;
  const std::string issuer_;
  const HttpHeaders headers_;
};

/// Throws LoginError.
Discovered discover(const Asking& asking, const Challenge& challenge, const LoginSettings& settings);

/// Which scopes are asked for first: those of the settings; else of the challenge; else those that the resource has.
std::vector<std::string> first_scopes(const Discovered& found, const Challenge& challenge,
                                      const LoginSettings& settings);

}  // namespace toolwire::bridge::login
