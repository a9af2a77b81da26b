#include "login/discovery.hpp"

#include <algorithm>
#include <chrono>
#include <optional>
#include <utility>
#include <variant>

#include <toolwire/json_members.hpp>
#include <toolwire/text.hpp>

#include <toolwire/http/detail/header_text.hpp>
#include <toolwire/http/detail/http_url.hpp>
#include "authorization/issuer_keys.hpp"

namespace toolwire::bridge::login {
namespace {

constexpr std::chrono::seconds patience{10};
constexpr std::size_t max_answer = std::size_t{256} << 10;
constexpr std::size_t max_shown = 200;
constexpr std::size_t max_listed = 1000;
constexpr std::string_view resource_well_known = "/.well-known/oauth-protected-resource";

std::string shown(std::string_view text) { return "\"" + text::stripped(text::head(text, max_shown)) + "\""; }

/// As it is written, without what stands behind the host and the port.
std::string written_origin(const std::string& url) {
  return url.substr(0, url.find_first_of("/?#", url.find("://") + 3));
}
std::string path_of(const std::string& url) {
  const std::size_t begin = url.find_first_of("/?#", url.find("://") + 3);
  const std::string behind = begin == std::string::npos ? "" : url.substr(begin);
  return behind.substr(0, behind.find_first_of("?#"));
}

bool is_same_origin(const std::string& one, const std::string& other) {
  const auto origin = http_origin_of(one);
  return origin && origin == http_origin_of(other);
}

/// Whether a resource of this name is the server, or what the server is a part of.
bool contains(const std::string& resource, const std::string& url) {
  std::string around = path_of(resource);
  while (around.ends_with('/')) around.pop_back();
  const std::string path = path_of(url);
  return is_same_origin(resource, url) && path.starts_with(around) &&
         (path.size() == around.size() || path[around.size()] == '/');
}

std::vector<std::string> texts(const Json& json, std::string_view name) {
  std::vector<std::string> list;
  const JsonArray* const array = array_member(json, name);
  for (const Json& one : array == nullptr ? JsonArray() : *array) {
    if (one.is_string() && list.size() < max_listed) list.emplace_back(one.get_string());
  }
  return list;
}

std::vector<std::string> scopes_of(const Json& json) {
  std::vector<std::string> all;
  for (const std::string& one : texts(json, "scopes_supported")) all = union_of(std::move(all), scopes_in(one));
  return all;
}

Json object_in(const HttpResponse& answer, const std::string& what) {
  try {
    Json json = parse_json(answer.body);
    if (json.is_object()) return json;
  } catch (const JsonError&) {  // said below
  }
  throw LoginError(what + " is no JSON object");
}

/// What was found where nobody has said that something is. Some servers have a page for people at every path.
bool has_some(const HttpResponse& answer) {
  const std::string type = header_text::lower(answer.header("content-type").value_or(""));
  return answer.status == 200 && !type.starts_with("text/html");
}

bool is_busy(const HttpResponse& answer) { return answer.status >= 500 || answer.status == 429; }

std::string endpoint(const Json& json, std::string_view name, bool is_needed, const std::string& what) {
  std::string url = text_or(json, name);
  if (url.empty() && !is_needed) return url;
  const std::string wrong = url.empty() ? "a URL" : wrong_url(url);
  if (!wrong.empty())
    throw LoginError(what + ": expected \"" + std::string(name) + "\" to be " + wrong + ", found " + shown(url));
  return url;
}

bool lists(const std::vector<std::string>& list, std::string_view what) {
  return std::ranges::find(list, what) != list.end();
}

AuthorizationServer server_in(const Json& json, const std::string& issuer, Grant grant) {
  const std::string what = "the metadata of the authorization server " + shown(issuer);
  if (text_member(json, "issuer") != issuer)
    throw LoginError(what + " is that of another one: expected \"issuer\" to be the same, found " +
                     shown(text_member(json, "issuer")));
  const bool needs_browser = grant == Grant::authorization_code;
  AuthorizationServer made{.issuer = issuer};
  made.authorization_endpoint = endpoint(json, "authorization_endpoint", needs_browser, what);
  made.token_endpoint = endpoint(json, "token_endpoint", true, what);
  made.registration_endpoint = endpoint(json, "registration_endpoint", false, what);
  // Nobody is kept from a login by what is only used at its end.
  if (std::string url = text_or(json, "revocation_endpoint"); wrong_url(url).empty())
    made.revocation_endpoint = std::move(url);
  made.scopes = scopes_of(json);
  if (auto methods = texts(json, "token_endpoint_auth_methods_supported"); !methods.empty())
    made.auth_methods = std::move(methods);
  made.reads_client_documents = bool_member(json, "client_id_metadata_document_supported").value_or(false);
  made.names_itself = bool_member(json, "authorization_response_iss_parameter_supported").value_or(false);
  if (needs_browser && !lists(texts(json, "code_challenge_methods_supported"), "S256"))
    throw LoginError(what +
                     ": expected \"code_challenge_methods_supported\" with \"S256\" (PKCE); without it the "
                     "answer to a login could be used by others");
  return made;
}

class Discovery {
 public:
  Discovery(const Asking& asking, const Challenge& challenge, const LoginSettings& settings)
      : asking_(asking), challenge_(challenge), settings_(settings) {}

  Discovered run() {
    const auto resource = resource_metadata();
    if (!resource) return of_older_server();
    Discovered found{.resource = text_or(*resource, "resource"), .scopes = scopes_of(*resource), .has_metadata = true};
    if (!contains(found.resource, asking_.url()))
      throw LoginError("the metadata of " + origin() +
                       " is that of another resource: expected \"resource\" to be the "
                       "address of the server or the beginning of it, found " +
                       shown(found.resource));
    found.server = server_of(issuer_in(*resource));
    return found;
  }

 private:
  std::string origin() const { return http_origin_of(asking_.url()).value_or(""); }

  /// Nothing where the server has none.
  std::optional<Json> resource_metadata() const {
    const std::string what = "the metadata of " + origin() + " (oauth-protected-resource)";
    if (!challenge_.resource_metadata.empty()) {
      if (!is_same_origin(challenge_.resource_metadata, asking_.url()))
        throw LoginError(what + ": expected \"resource_metadata\" at the origin of the server, found " +
                         shown(challenge_.resource_metadata));
      const HttpResponse answer = asking_.get(challenge_.resource_metadata);
      if (answer.status != 200) throw LoginError(what + ": expected HTTP 200, found " + std::to_string(answer.status));
      return object_in(answer, what);
    }
    const std::string root = written_origin(asking_.url()) + std::string(resource_well_known);
    const std::string path = path_of(asking_.url());
    std::vector<std::string> places{root};
    if (path.size() > 1) places.insert(places.begin(), root + path);
    for (const std::string& place : places) {
      const HttpResponse answer = asking_.get(place);
      if (has_some(answer)) return object_in(answer, what);
      if (is_busy(answer))
        throw LoginError(what + ": expected HTTP 200 or 404, found " + std::to_string(answer.status));
    }
    return std::nullopt;
  }

  std::string issuer_in(const Json& resource) const {
    const std::vector<std::string> issuers = texts(resource, "authorization_servers");
    if (issuers.empty())
      throw LoginError("the metadata of " + origin() + ": expected \"authorization_servers\" with the URL of one");
    if (!settings_.issuer.empty() && !lists(issuers, settings_.issuer))
      throw LoginError("the metadata of " + origin() +
                       ": expected \"authorization_servers\" with the \"issuer\" of the "
                       "configuration, " +
                       shown(settings_.issuer) + ", found " + shown(issuers.front()));
    const std::string& issuer = settings_.issuer.empty() ? issuers.front() : settings_.issuer;
    if (const std::string wrong = wrong_url(issuer); !wrong.empty())
      throw LoginError("the metadata of " + origin() + ": expected an authorization server with " + wrong + ", found " +
                       shown(issuer));
    return issuer;
  }

  std::optional<AuthorizationServer> published(const std::string& issuer) const {
    for (const std::string& place : metadata_addresses(issuer)) {
      const HttpResponse answer = asking_.get(place);
      if (has_some(answer))
        return server_in(object_in(answer, "the metadata of the authorization server " + shown(issuer)), issuer,
                         settings_.grant);
      if (is_busy(answer))
        throw LoginError("the authorization server " + shown(issuer) + ": expected its metadata, found HTTP " +
                         std::to_string(answer.status));
    }
    return std::nullopt;
  }

  AuthorizationServer server_of(const std::string& issuer) const {
    if (auto found = published(issuer)) return std::move(*found);
    throw LoginError("the authorization server " + shown(issuer) +
                     ": expected its metadata at /.well-known/oauth-authorization-server or openid-configuration, "
                     "found none");
  }

  /// 2025-03-26: the server itself is the authorization server, at the root of its origin; one without metadata has
  /// usual endpoints.
  Discovered of_older_server() const {
    const std::string issuer = written_origin(asking_.url());
    if (const std::string wrong = wrong_url(issuer); !wrong.empty())
      throw LoginError(origin() + " has no metadata, and cannot be the authorization server itself: expected " + wrong);
    if (!settings_.issuer.empty() && settings_.issuer != issuer)
      throw LoginError(origin() + " has no metadata: expected it to name the \"issuer\" of the configuration, " +
                       shown(settings_.issuer));
    Discovered found{.resource = asking_.url().substr(0, asking_.url().find_first_of("?#"))};
    if (auto server = published(issuer)) {
      found.server = std::move(*server);
    } else {
      found.server = {.issuer = issuer,
                      .authorization_endpoint = issuer + "/authorize",
                      .token_endpoint = issuer + "/token",
                      .registration_endpoint = issuer + "/register",
                      .auth_methods = {std::string(auth_none), std::string(auth_basic), std::string(auth_post)}};
    }
    return found;
  }

  const Asking& asking_;
  const Challenge& challenge_;
  const LoginSettings& settings_;
};

}  // namespace

HttpOrigin Asking::origin_of(const std::string& url) const {
  const bool is_chosen = is_same_origin(url, url_) || (!issuer_.empty() && is_same_origin(url, issuer_));
  const bool are_here = is_of_this_machine(url_) && is_of_this_machine(url);
  return is_chosen || are_here ? HttpOrigin::operators : HttpOrigin::other;
}

HttpResponse Asking::ask(HttpRequest request) const {
  if (const std::string wrong = wrong_url(request.url); !wrong.empty())
    throw LoginError("expected " + wrong + ", found " + shown(request.url));
  request.origin = origin_of(request.url);
  request.proxy_of_environment = request.url.starts_with("https:");
  request.deadline = HttpRequest::Clock::now() + patience;
  request.response_limit = max_answer;
  const auto is_accept = [](const auto& header) { return header.first == "Accept"; };
  if (std::ranges::none_of(request.headers, is_accept)) request.headers.emplace_back("Accept", "application/json");
  HttpOutcome outcome = http_->fetch(std::move(request));
  if (const auto* const failure = std::get_if<HttpFailure>(&outcome))
    throw LoginError(failure->text + (failure->code == "denied"
                                          ? "; an authorization server that is not at a public address has to "
                                            "be the \"issuer\" of the configuration"
                                          : ""));
  return std::get<HttpResponse>(std::move(outcome));
}

HttpResponse Asking::post(const std::string& url, const std::string& type, std::string body,
                          HttpHeaders headers) const {
  headers.emplace_back("Content-Type", type);
  return ask({.method = "POST", .url = url, .headers = std::move(headers), .body = std::move(body)});
}

HttpResponse Asking::send(std::string message, const HttpHeaders& fields) const {
  HttpHeaders headers = headers_;
  headers.insert(headers.end(), fields.begin(), fields.end());
  headers.emplace_back("Accept", "application/json, text/event-stream");
  return post(url_, "application/json", std::move(message), std::move(headers));
}

Discovered discover(const Asking& asking, const Challenge& challenge, const LoginSettings& settings) {
  return Discovery(asking, challenge, settings).run();
}

std::vector<std::string> first_scopes(const Discovered& found, const Challenge& challenge,
                                      const LoginSettings& settings) {
  if (!settings.scopes.empty()) return settings.scopes;
  return challenge.scopes.empty() ? found.scopes : challenge.scopes;
}

}  // namespace toolwire::bridge::login
