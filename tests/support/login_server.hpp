// An MCP server with one tool that asks for tokens, and the authorization server that gives them, on one port of this
// machine; right, or wrong in the way that a test says. And a browser whose user says yes.
#pragma once

#include <algorithm>
#include <chrono>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <toolwire/json.hpp>
#include <utility>
#include <vector>

#include <toolwire/http/detail/http_client.hpp>
#include "http_test_server.hpp"
#include "login/codes.hpp"
#include "remote_script.hpp"

namespace toolwire_test {

class LoginServer {
 public:
  using Edit = std::function<void(toolwire::JsonObject&)>;

  /// What a test changes; guarded by `change`.
  struct Ways {
    Edit resource = {};                            // its metadata
    Edit issuer = {};                              // its metadata
    Edit registered = {};                          // the answer to a registration
    Edit tokens = {};                              // the answer of the token endpoint
    std::map<std::string, HttpAnswer> pages = {};  // by path, in the place of what is there otherwise
    std::string challenge = {};                    // in the place of the usual one
    std::vector<std::string> open_methods = {};    // that need no token
    std::string needed_scope = {};                 // of a call; empty: none
    std::string withheld_scope = {};               // that is granted to nobody
    std::string refused_scope = {};                // for which the token endpoint gives no token at all
    std::string issuer_in_answer = {};             // "-": none
    bool takes_back = false;                       // tokens, at /revoke
    bool repeats = false;                          // the token endpoint refuses, and says what it was sent
    int life = 3600;                               // of tokens, in seconds
  };

  LoginServer() : server_([this](const std::string& text) { return answer(text); }) {}

  std::string origin() const { return server_.origin(); }
  std::string url() const { return server_.url("/mcp"); }
  HttpTestServer& server() { return server_; }
  void change(const std::function<void(Ways&)>& change) {
    const std::lock_guard lock(mutex_);
    change(ways_);
  }
  /// How many requests for a stream were let in, and answered with 405.
  std::size_t streams() const {
    const std::lock_guard lock(mutex_);
    return streams_;
  }
  /// From now on the tokens given so far are refused; refresh tokens are, too, if they are `all`.
  void take_back(bool all) {
    const std::lock_guard lock(mutex_);
    good_token_ = "none";
    if (all) good_refresh_ = "none";
  }

  /// "GET /path" of all requests so far, without queries.
  std::vector<std::string> asked() const {
    std::vector<std::string> lines;
    for (const std::string& text : server_.requests()) {
      const std::string line = text.substr(0, text.find(' ', text.find(' ') + 1));
      lines.push_back(line.substr(0, line.find('?')));
    }
    return lines;
  }
  /// The forms that the token endpoint was sent.
  std::vector<toolwire::bridge::login::Form> forms() const { return forms_to("/token"); }
  std::vector<toolwire::bridge::login::Form> forms_to(const std::string& path) const {
    std::vector<toolwire::bridge::login::Form> forms;
    for (const std::string& text : requests_to("POST " + path))
      forms.push_back(toolwire::bridge::login::form_in(text.substr(text.find("\r\n\r\n") + 4)));
    return forms;
  }
  std::vector<std::string> requests_to(const std::string& line) const {
    std::vector<std::string> found;
    for (const std::string& text : server_.requests()) {
      if (text.starts_with(line + " ") || text.starts_with(line + "?")) found.push_back(text);
    }
    return found;
  }

 private:
  static HttpAnswer json(const toolwire::JsonObject& object, int status = 200) {
    return HttpAnswer::of(status, toolwire::to_json_text(object), "Content-Type: application/json\r\n");
  }

  HttpAnswer answer(const std::string& text) {
    const std::lock_guard lock(mutex_);
    const std::string target = text.substr(text.find(' ') + 1, text.find(' ', text.find(' ') + 1) - text.find(' ') - 1);
    const std::string path = target.substr(0, target.find('?'));
    if (const auto own = ways_.pages.find(path); own != ways_.pages.end()) return own->second;
    if (path == "/.well-known/oauth-protected-resource/mcp") return resource_metadata();
    if (path == "/.well-known/oauth-authorization-server") return issuer_metadata();
    if (path == "/register") return registration();
    if (path == "/authorize") return authorize(target);
    if (path == "/token") return token(text.substr(text.find("\r\n\r\n") + 4));
    if (path == "/revoke") return revocation(text.substr(text.find("\r\n\r\n") + 4));
    if (path == "/mcp") return mcp(remote_request(text));
    return HttpAnswer::of(404, "");
  }

  static bool has_word(const std::string& text, const std::string& word) {
    return (" " + text + " ").find(" " + word + " ") != std::string::npos;
  }

  HttpAnswer resource_metadata() {
    toolwire::JsonObject made{{"resource", url()},
                              {"authorization_servers", toolwire::JsonArray{origin()}},
                              {"scopes_supported", toolwire::JsonArray{"tools"}}};
    if (ways_.resource) ways_.resource(made);
    return json(made);
  }
  HttpAnswer issuer_metadata() {
    toolwire::JsonObject made{{"issuer", origin()},
                              {"authorization_endpoint", origin() + "/authorize"},
                              {"token_endpoint", origin() + "/token"},
                              {"registration_endpoint", origin() + "/register"},
                              {"code_challenge_methods_supported", toolwire::JsonArray{"S256"}},
                              {"token_endpoint_auth_methods_supported", toolwire::JsonArray{"none"}},
                              {"authorization_response_iss_parameter_supported", true}};
    if (ways_.takes_back) made["revocation_endpoint"] = origin() + "/revoke";
    if (ways_.issuer) ways_.issuer(made);
    return json(made);
  }
  HttpAnswer revocation(const std::string& body) {
    const std::string token = toolwire::bridge::login::only_value(toolwire::bridge::login::form_in(body), "token");
    if (token == good_refresh_) good_refresh_ = good_token_ = "none";
    if (token == good_token_) good_token_ = "none";
    return HttpAnswer::of(200, "");
  }
  HttpAnswer registration() {
    toolwire::JsonObject made{{"client_id", "client-" + std::to_string(++clients_)}};
    if (ways_.registered) ways_.registered(made);
    return json(made, 201);
  }

  HttpAnswer authorize(const std::string& target) {
    using namespace toolwire::bridge::login;
    const Form query = form_in(target.substr(target.find('?') + 1));
    challenge_ = only_value(query, "code_challenge");
    scope_ = only_value(query, "scope");
    code_ = "code-" + std::to_string(++codes_);
    Form back{{"code", code_}, {"state", only_value(query, "state")}};
    if (ways_.issuer_in_answer != "-")
      back.emplace_back("iss", ways_.issuer_in_answer.empty() ? origin() : ways_.issuer_in_answer);
    return HttpAnswer::of(200, only_value(query, "redirect_uri") + "?" + form_text(back));
  }

  HttpAnswer token(const std::string& body) {
    using namespace toolwire::bridge::login;
    const Form form = form_in(body);
    if (ways_.repeats)
      return json({{"error", "invalid_client"}, {"error_description", only_value(form, "client_assertion")}}, 401);
    if (!ways_.refused_scope.empty() && has_word(only_value(form, "scope"), ways_.refused_scope))
      return json({{"error", "invalid_scope"}, {"error_description", "not for you"}}, 400);
    const std::string grant = only_value(form, "grant_type");
    const bool is_good = (grant == "authorization_code" && only_value(form, "code") == code_ && !code_.empty() &&
                          sha256_code(only_value(form, "code_verifier")) == challenge_) ||
                         (grant == "refresh_token" && only_value(form, "refresh_token") == good_refresh_) ||
                         grant == "client_credentials";
    if (!is_good) return json({{"error", "invalid_grant"}, {"error_description", "no longer good"}}, 400);
    if (grant == "authorization_code") code_.clear();
    if (const std::string scope = only_value(form, "scope"); !scope.empty()) scope_ = scope;
    good_token_ = "access-" + std::to_string(++tokens_) + "-hidden";
    good_refresh_ = "refresh-" + std::to_string(tokens_) + "-hidden";
    toolwire::JsonObject made{
        {"access_token", good_token_}, {"token_type", "Bearer"}, {"expires_in", ways_.life}, {"scope", scope_}};
    if (grant != "client_credentials") made["refresh_token"] = good_refresh_;
    if (ways_.tokens) ways_.tokens(made);
    return json(made);
  }

  HttpAnswer mcp(const RemoteRequest& request) {
    const std::string metadata = origin() + "/.well-known/oauth-protected-resource/mcp";
    const auto& open = ways_.open_methods;
    const bool is_open = std::find(open.begin(), open.end(), request.method()) != open.end();
    if (!is_open && request.header("Authorization") != "Bearer " + good_token_)
      return HttpAnswer::of(
          401, "",
          "WWW-Authenticate: " +
              (ways_.challenge.empty() ? "Bearer resource_metadata=\"" + metadata + "\", scope=\"tools\""
                                       : ways_.challenge) +
              "\r\n");
    const bool is_call = request.method() == "tools/call";
    const auto has_scope = [&](const std::string& one) { return one != ways_.withheld_scope && has_word(scope_, one); };
    if (is_call && !ways_.needed_scope.empty() && !has_scope(ways_.needed_scope))
      return HttpAnswer::of(403, "",
                            "WWW-Authenticate: Bearer error=\"insufficient_scope\", scope=\"" + ways_.needed_scope +
                                "\", resource_metadata=\"" + metadata + "\"\r\n");
    if (request.verb == "GET") ++streams_;
    if (request.verb != "POST") return HttpAnswer::of(405, "");
    if (request.method() == "initialize")
      return result(
          request,
          R"({"protocolVersion":"2025-11-25","capabilities":{"tools":{}},"serverInfo":{"name":"s","version":"1"}})");
    if (request.method() == "tools/list")
      return result(request, R"({"tools":[{"name":"run","inputSchema":{"type":"object"}}]})");
    if (is_call) return result(request, R"({"content":[{"type":"text","text":"done"}]})");
    if (request.id() == "null") return accepted();
    return HttpAnswer::of(400, R"({"jsonrpc":"2.0","id":null,"error":{"code":-32000,"message":"no"}})");
  }

  mutable std::mutex mutex_;
  Ways ways_;  // guarded by mutex_, as all below
  std::string good_token_ = "none";
  std::string good_refresh_ = "none";
  std::string code_;
  std::string challenge_;
  std::string scope_;
  int clients_ = 0;
  int codes_ = 0;
  int tokens_ = 0;
  std::size_t streams_ = 0;
  HttpTestServer server_;
};

/// What a browser does whose user agrees at once; returns the status of the last page. Where a real one is redirected,
/// the page of LoginServer says where to.
inline int browse(const std::string& url) {
  using namespace toolwire;
  HttpClient http;
  const auto visit = [&](const std::string& page) {
    const HttpOutcome outcome = http.fetch({.url = page,
                                            .deadline = HttpRequest::Clock::now() + std::chrono::seconds(10),
                                            .origin = HttpOrigin::operators});
    const auto* const answer = std::get_if<HttpResponse>(&outcome);
    return answer == nullptr ? HttpResponse{} : *answer;
  };
  const int status = visit(visit(url).body).status;
  http.close();
  return status;
}

}  // namespace toolwire_test
