#include "authorization/settings.hpp"

#include <algorithm>
#include <array>
#include <chrono>
#include <cstdint>
#include <filesystem>
#include <string_view>
#include <utility>
#include <vector>

#include <toolwire/http/detail/header_text.hpp>

#include "manifest/members.hpp"
#include "manifest/settings_reader.hpp"

namespace toolwire::bridge {
namespace {

constexpr std::string_view root = "/authorization";
constexpr std::array<std::string_view, 10> members{"issuer",           "resource",      "audiences",      "algorithms",
                                                   "token_types",      "scopes",        "leeway_seconds", "keys",
                                                   "scopes_supported", "implied_scopes"};
constexpr std::array<std::string_view, 4> proxy_members{"principal_field", "scopes_field", "secret_field",
                                                        "secret_file"};
constexpr std::int64_t max_leeway = 300;  // seconds

class Reader {
 public:
  Reader(const JsonObject& json, const SettingsReader::PlaceOf& place_of, Findings& findings)
      : json_(json), stated_(json, std::string(root), place_of, findings) {}

  std::optional<AuthorizationSettings> read() {
    stated_.refuse_unknown(members);
    http::JwtOptions& tokens = read_.tokens;
    tokens.resource.authorization_servers = {identifier("issuer", "https://login.example.com")};
    tokens.resource.resource = identifier("resource", "https://mcp.example.com/mcp");
    tokens.resource.scopes = scopes("scopes");
    tokens.resource.offered_scopes = scopes("scopes_supported");
    read_implied_scopes();
    tokens.audiences = stated_.texts("audiences").value_or(std::vector<std::string>());
    if (auto stated = stated_.texts("algorithms")) tokens.algorithms = std::move(*stated);
    if (auto stated = stated_.texts("token_types")) tokens.types = std::move(*stated);
    check_algorithms();
    read_leeway();
    read_keys();
    return stated_.is_fine() ? std::optional(std::move(read_)) : std::nullopt;
  }

 private:
  std::string identifier(std::string_view name, const std::string& example) {
    std::string url = stated_.needed_text(name, example);
    if (const std::string wrong = url.empty() ? std::string() : http::wrong_identifier(url); !wrong.empty())
      stated_.problem(name, "expected " + wrong);
    return url;
  }

  void check_algorithms() {
    const std::vector<std::string_view> known = http::jwt_algorithms();
    for (const std::string& one : read_.tokens.algorithms) {
      if (std::ranges::find(known, one) == known.end())
        stated_.problem("algorithms", "expected some of " + list_of(known) + ", found " + in_quotes(one));
    }
  }

  std::vector<std::string> scopes(std::string_view name) {
    auto found = stated_.texts(name).value_or(std::vector<std::string>());
    for (const std::string& one : found) check_scope(name, one);
    return found;
  }

  void check_scope(std::string_view name, const std::string& scope) {
    if (!is_scope(scope))
      stated_.problem(
          name, "expected visible ASCII characters without spaces, quotes and backslashes, found " + in_quotes(scope));
  }

  /// {"BROADER": ["NARROWER", …]}
  void read_implied_scopes() {
    constexpr std::string_view name = "implied_scopes";
    const Json* const stated = json_.if_contains(name);
    if (stated == nullptr) return;
    constexpr const char* expected = R"(expected an object such as {"files": ["files:read", "files:write"]})";
    const JsonObject* const object = stated->if_object();
    if (object == nullptr || object->empty()) return stated_.problem(name, expected);
    for (const auto& [broader, narrower] : *object) {
      check_scope(name, std::string(broader));
      const JsonArray* const list = narrower.if_array();
      if (list == nullptr || list->empty()) return stated_.problem(name, expected);
      std::vector<std::string>& implied = read_.tokens.resource.implied_scopes[std::string(broader)];
      for (const Json& one : *list) {
        if (!one.is_string()) return stated_.problem(name, expected);
        check_scope(name, implied.emplace_back(one.get_string()));
      }
    }
  }

  void read_leeway() {
    if (const auto seconds = stated_.number("leeway_seconds", 0, max_leeway))
      read_.tokens.leeway = std::chrono::seconds(*seconds);
  }

  void read_keys() {
    read_.keys = stated_.text("keys");
    if (read_.keys.empty()) return;
    if (const std::string wrong = wrong_key_address(read_.keys); !wrong.empty())
      stated_.problem("keys", "expected " + wrong);
  }

  const JsonObject& json_;
  SettingsReader stated_;
  AuthorizationSettings read_;
};

std::string field_name(SettingsReader& stated, std::string_view name, std::string found) {
  if (!found.empty() && !header_text::is_token(found))
    stated.problem(name, "expected the name of a header field, found " + in_quotes(found));
  return found;
}

/// An issuer's tokens are not looked at where a proxy says who calls.
std::optional<AuthorizationSettings> read_proxy(const JsonObject& json, const std::string& directory,
                                                const SettingsReader::PlaceOf& place_of, Findings& findings) {
  SettingsReader whole(json, std::string(root), place_of, findings);
  for (const auto& [name, value] : json) {
    if (name != "proxy") whole.problem(name, "expected nothing beside \"proxy\", which says who calls");
  }
  const JsonObject* const object = json.at("proxy").if_object();
  if (object == nullptr) {
    whole.problem("proxy", "expected an object, found " + std::string(kind_of(json.at("proxy"))));
    return std::nullopt;
  }
  SettingsReader stated(*object, std::string(root) + "/proxy", place_of, findings);
  stated.refuse_unknown(proxy_members);
  ProxySettings made;
  made.fields.principal_field =
      field_name(stated, "principal_field", stated.needed_text("principal_field", "X-Forwarded-User"));
  made.fields.scopes_field = field_name(stated, "scopes_field", stated.text("scopes_field"));
  made.fields.secret_field = field_name(stated, "secret_field", stated.needed_text("secret_field", "X-Proxy-Secret"));
  made.secret_file = (std::filesystem::path(directory) / stated.needed_text("secret_file", "proxy-secret"))
                         .lexically_normal()
                         .string();
  if (!whole.is_fine() || !stated.is_fine()) return std::nullopt;
  return AuthorizationSettings{.proxy = std::move(made)};
}

}  // namespace

std::string wrong_key_address(std::string_view url) { return http::wrong_identifier(url.substr(0, url.find('?'))); }

std::optional<AuthorizationSettings> read_authorization(const Json& json, const std::string& directory,
                                                        const std::function<std::string(const std::string&)>& place_of,
                                                        Findings& findings) {
  if (const JsonObject* const object = json.if_object()) {
    return object->contains("proxy") ? read_proxy(*object, directory, place_of, findings)
                                     : Reader(*object, place_of, findings).read();
  }
  findings.problem(place_of(std::string(root)), "expected an object, found " + std::string(kind_of(json)));
  return std::nullopt;
}

}  // namespace toolwire::bridge
