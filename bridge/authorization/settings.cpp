#include "authorization/settings.hpp"

#include <algorithm>
#include <array>
#include <chrono>
#include <cstdint>
#include <string_view>
#include <utility>
#include <vector>

#include "manifest/members.hpp"

namespace toolwire::bridge {
namespace {

constexpr std::string_view root = "/authorization";
constexpr std::array<std::string_view, 8> members{"issuer",      "resource", "audiences",      "algorithms",
                                                  "token_types", "scopes",   "leeway_seconds", "keys"};
constexpr std::int64_t max_leeway = 300;  // seconds

std::string all_of(const std::vector<std::string_view>& names) {
  std::string all;
  for (const std::string_view name : names) all.append(all.empty() ? "" : ", ").append(name);
  return all;
}

class Reader {
 public:
  Reader(const JsonObject& json, const std::function<std::string(const std::string&)>& place_of, Findings& findings)
      : json_(json), place_of_(place_of), findings_(findings) {}

  std::optional<AuthorizationSettings> read() {
    refuse_unknown();
    http::JwtOptions& tokens = read_.tokens;
    tokens.resource.authorization_servers = {identifier("issuer", "https://login.example.com")};
    tokens.resource.resource = identifier("resource", "https://mcp.example.com/mcp");
    tokens.resource.scopes = texts("scopes").value_or(std::vector<std::string>());
    tokens.audiences = texts("audiences").value_or(std::vector<std::string>());
    if (auto stated = texts("algorithms")) tokens.algorithms = std::move(*stated);
    if (auto stated = texts("token_types")) tokens.types = std::move(*stated);
    check_algorithms();
    check_scopes();
    read_leeway();
    read_keys();
    return is_fine_ ? std::optional(std::move(read_)) : std::nullopt;
  }

 private:
  void problem(std::string_view name, const std::string& text) { problem_at(below(std::string(root), name), text); }
  void problem_at(const std::string& pointer, const std::string& text) {
    is_fine_ = false;
    findings_.problem(place_of_(pointer), text);
  }

  void refuse_unknown() {
    for (const auto& [name, value] : json_) {
      const std::string_view written = name;
      if (std::ranges::find(members, written) != members.end()) continue;
      const std::string near = did_you_mean(written, members);
      problem(written,
              near.empty() ? "unknown; expected one of " + all_of({members.begin(), members.end()}) : "unknown" + near);
    }
  }

  /// Empty if it is not there or no text, which is said where it is there.
  std::string text(std::string_view name) {
    const Json* const value = json_.if_contains(name);
    if (value == nullptr) return {};
    if (value->is_string() && !value->get_string().empty()) return std::string(value->get_string());
    problem(name, "expected a string that is not empty, found " + std::string(kind_of(*value)));
    return {};
  }

  std::string identifier(std::string_view name, const std::string& example) {
    std::string url = text(name);
    if (!json_.contains(name)) problem_at(std::string(root), "expected \"" + std::string(name) + "\", as " + example);
    if (const std::string wrong = url.empty() ? std::string() : http::wrong_identifier(url); !wrong.empty())
      problem(name, "expected " + wrong);
    return url;
  }

  /// Those that are there; a list that is there has to have some.
  std::optional<std::vector<std::string>> texts(std::string_view name) {
    const Json* const value = json_.if_contains(name);
    if (value == nullptr) return std::nullopt;
    const JsonArray* const list = value->if_array();
    if (list == nullptr || list->empty()) {
      problem(name, "expected an array of strings that is not empty");
      return std::nullopt;
    }
    std::vector<std::string> made;
    for (std::size_t i = 0; i < list->size(); ++i) {
      const Json& one = (*list)[i];
      if (one.is_string() && !one.get_string().empty()) {
        made.emplace_back(one.get_string());
      } else {
        problem_at(below(below(std::string(root), name), i), "expected a string that is not empty");
      }
    }
    return made;
  }

  void check_algorithms() {
    const std::vector<std::string_view> known = http::jwt_algorithms();
    for (const std::string& one : read_.tokens.algorithms) {
      if (std::ranges::find(known, one) == known.end())
        problem("algorithms", "expected some of " + all_of(known) + ", found " + in_quotes(one));
    }
  }

  void check_scopes() {
    for (const std::string& one : read_.tokens.resource.scopes) {
      if (!http::is_scope(one))
        problem("scopes",
                "expected visible ASCII characters without spaces, quotes and backslashes, found " + in_quotes(one));
    }
  }

  void read_leeway() {
    const Json* const value = json_.if_contains("leeway_seconds");
    if (value == nullptr) return;
    const bool is_fine = value->is_int64() && value->get_int64() >= 0 && value->get_int64() <= max_leeway;
    if (!is_fine) return problem("leeway_seconds", "expected a whole number from 0 to 300");
    read_.tokens.leeway = std::chrono::seconds(value->get_int64());
  }

  void read_keys() {
    read_.keys = text("keys");
    if (read_.keys.empty()) return;
    if (const std::string wrong = wrong_key_address(read_.keys); !wrong.empty()) problem("keys", "expected " + wrong);
  }

  const JsonObject& json_;
  const std::function<std::string(const std::string&)>& place_of_;
  Findings& findings_;
  AuthorizationSettings read_;
  bool is_fine_ = true;
};

}  // namespace

std::string wrong_key_address(std::string_view url) { return http::wrong_identifier(url.substr(0, url.find('?'))); }

std::optional<AuthorizationSettings> read_authorization(const Json& json,
                                                        const std::function<std::string(const std::string&)>& place_of,
                                                        Findings& findings) {
  if (const JsonObject* const object = json.if_object()) return Reader(*object, place_of, findings).read();
  findings.problem(place_of(std::string(root)), "expected an object, found " + std::string(kind_of(json)));
  return std::nullopt;
}

}  // namespace toolwire::bridge
