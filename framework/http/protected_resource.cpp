#include "toolwire/http/protected_resource.hpp"

#include <algorithm>
#include <stdexcept>
#include <toolwire/json.hpp>

#include "refusal.hpp"
#include "well_known.hpp"

namespace toolwire::http {
namespace {

constexpr std::size_t max_identifier = 180;  // bytes: the name of a principal begins with one
constexpr std::size_t max_description = 200;

struct Parts {
  std::string_view scheme;
  std::string_view authority;
  std::string_view path;
};

Parts parts_of(std::string_view url) {
  const std::size_t colon = std::min(url.find("://"), url.size());
  const std::string_view rest = url.substr(std::min(colon + 3, url.size()));
  const std::size_t slash = std::min(rest.find('/'), rest.size());
  return {.scheme = url.substr(0, colon), .authority = rest.substr(0, slash), .path = rest.substr(slash)};
}

/// An address of IPv6 with its brackets. Empty: there is none.
std::string_view host_in(std::string_view authority) {
  if (!authority.starts_with('[')) return authority.substr(0, authority.find(':'));
  return authority.substr(0, authority.find(']') + 1);  // nothing without the bracket
}

bool is_this_machine(std::string_view host) {
  const bool is_number = host.find_first_not_of("0123456789.") == std::string_view::npos;
  return host == "localhost" || host == "[::1]" || (is_number && host.starts_with("127."));
}

bool is_port(std::string_view text) {
  return text.empty() || (text.starts_with(':') && text.size() > 1 && text.size() <= 6 &&
                          text.find_first_not_of("0123456789", 1) == std::string_view::npos);
}

std::string joined(const std::vector<std::string>& scopes) {
  std::string text;
  for (const std::string& scope : scopes) text.append(text.empty() ? "" : " ").append(scope);
  return text;
}

/// RFC 6750 §3: of error_description.
std::string sayable(std::string_view text) {
  std::string said;
  for (const char one : text.substr(0, max_description)) {
    if (one >= 0x20 && one <= 0x7e && one != '"' && one != '\\') said += one;
  }
  return said;
}

JsonArray texts(const std::vector<std::string>& list) { return JsonArray(list.begin(), list.end()); }

void check_scopes(const std::vector<std::string>& scopes) {
  if (!std::ranges::all_of(scopes, is_scope))
    throw std::invalid_argument("a scope: expected visible ASCII characters without spaces, quotes and backslashes");
}

std::vector<std::string> supported_scopes(const ProtectedResource& resource) {
  std::vector<std::string> all = resource.scopes;
  for (const std::string& scope : resource.offered_scopes) {
    if (std::ranges::find(all, scope) == all.end()) all.push_back(scope);
  }
  return all;
}

}  // namespace

std::string wrong_identifier(std::string_view url) {
  const Parts parts = parts_of(url);
  const std::string_view host = host_in(parts.authority);
  if (parts.scheme != "https" && parts.scheme != "http") return "a URL that begins with https://";
  if (parts.scheme == "http" && !is_this_machine(host)) return "https://, as http:// is for this machine only";
  if (host.empty() || !is_port(parts.authority.substr(host.size()))) return "a URL with a host: https://HOST/PATH";
  if (url.find_first_of("?#@\"\\") != std::string_view::npos)
    return "a URL without user name, query, fragment and quotes";
  if (!std::ranges::all_of(url, [](char one) { return one > 0x20 && one < 0x7f; }))
    return "a URL of visible ASCII characters";
  if (url.size() > max_identifier) return "a URL of at most " + std::to_string(max_identifier) + " characters";
  return {};
}

void check(const ProtectedResource& resource) {
  if (const std::string wrong = wrong_identifier(resource.resource); !wrong.empty())
    throw std::invalid_argument("the URL of a protected resource: expected " + wrong);
  if (resource.authorization_servers.empty())
    throw std::invalid_argument("a protected resource needs the issuer of an authorization server");
  for (const std::string& issuer : resource.authorization_servers) {
    if (const std::string wrong = wrong_identifier(issuer); !wrong.empty())
      throw std::invalid_argument("the issuer of an authorization server: expected " + wrong);
  }
  check_scopes(resource.scopes);
  check_scopes(resource.offered_scopes);
  for (const auto& [broader, narrower] : resource.implied_scopes) {
    check_scopes({broader});
    check_scopes(narrower);
    if (narrower.empty()) throw std::invalid_argument("the scope " + broader + " implies nothing; expected scopes");
  }
}

std::string metadata_path(std::string_view path) {
  return std::string(well_known_path).append(path == "/" ? std::string_view() : path);
}

std::string metadata_path_of(const ProtectedResource& resource) {
  return metadata_path(parts_of(resource.resource).path);
}

std::string metadata_url(const ProtectedResource& resource) {
  const Parts parts = parts_of(resource.resource);
  return std::string(parts.scheme).append("://").append(parts.authority) + metadata_path(parts.path);
}

Reply metadata_reply(const ProtectedResource& resource, std::string_view method) {
  if (method != "GET" && method != "HEAD")
    return reply_of(refusal(405, "the metadata of the server can only be asked for", {{"Allow", "GET, HEAD"}}));
  JsonObject metadata{{"resource", resource.resource},
                      {"authorization_servers", texts(resource.authorization_servers)},
                      {"bearer_methods_supported", JsonArray{"header"}}};
  if (const auto supported = supported_scopes(resource); !supported.empty())
    metadata["scopes_supported"] = texts(supported);
  return {.status = 200, .fields = {{"Content-Type", "application/json"}}, .body = to_json_text(metadata)};
}

std::string challenge_for(const ProtectedResource& resource, const std::vector<std::string>& scopes,
                          std::string_view error, std::string_view description) {
  std::string text;
  const auto add = [&text](std::string_view name, std::string_view value) {
    if (!value.empty()) text.append(text.empty() ? " " : ", ").append(name).append("=\"").append(value).append("\"");
  };
  add("error", sayable(error));
  add("scope", joined(scopes));
  if (!resource.resource.empty()) add("resource_metadata", metadata_url(resource));
  add("error_description", sayable(description));
  return "Bearer" + text;
}

std::string challenge(const ProtectedResource& resource, std::string_view error, std::string_view description) {
  return challenge_for(resource, resource.scopes, error, description);
}

void grant_implied(Principal& principal, const ProtectedResource& resource) {
  if (resource.implied_scopes.empty()) return;
  for (std::size_t i = 0; i < principal.scopes.size(); ++i) {  // which grows meanwhile
    const auto found = resource.implied_scopes.find(principal.scopes[i]);
    if (found == resource.implied_scopes.end()) continue;
    for (const std::string& scope : found->second) {
      if (!principal.has_scope(scope)) principal.scopes.push_back(scope);
    }
  }
}

}  // namespace toolwire::http
