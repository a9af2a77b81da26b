#include "configuration/redis_settings.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <cstdint>
#include <filesystem>
#include <string_view>
#include <utility>

#include "manifest/members.hpp"

namespace toolwire::bridge {
namespace {

constexpr std::array<std::string_view, 6> members{"address",  "user",   "password_file",
                                                  "database", "prefix", "lease_seconds"};
constexpr std::int64_t most_databases = 1'000'000;
constexpr std::int64_t longest_lease = 86'400;

std::string all_members() {
  std::string all;
  for (const std::string_view name : members) all.append(all.empty() ? "" : ", ").append(name);
  return all;
}

bool is_port(std::string_view text) {
  unsigned port = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), port);
  return error == std::errc() && end == text.data() + text.size() && port > 0 && port < 65'536;
}

bool is_address(std::string_view text) {
  constexpr std::string_view scheme = "unix:";
  if (text.starts_with(scheme)) return text.size() > scheme.size() && text[scheme.size()] == '/';
  const std::size_t colon = text.rfind(':');
  return colon != std::string_view::npos && colon > 0 && is_port(text.substr(colon + 1));
}

class Reader {
 public:
  Reader(const JsonObject& json, const std::string& directory,
         const std::function<std::string(const std::string&)>& place_of, Findings& findings)
      : json_(json), directory_(directory), place_of_(place_of), findings_(findings) {}

  std::optional<RedisSettings> read() {
    refuse_unknown();
    RedisSettings made;
    read_address(made);
    made.user = text("user");
    if (const std::string file = text("password_file"); !file.empty())
      made.password_file = (std::filesystem::path(directory_) / file).lexically_normal().string();
    if (json_.contains("prefix")) made.prefix = text("prefix");
    made.database = static_cast<unsigned>(number("database", 0, most_databases).value_or(0));
    if (const auto seconds = number("lease_seconds", 1, longest_lease)) made.lease = std::chrono::seconds(*seconds);
    return is_fine_ ? std::optional(std::move(made)) : std::nullopt;
  }

 private:
  void problem(std::string_view name, const std::string& text) {
    is_fine_ = false;
    findings_.problem(place_of_(name.empty() ? "/redis" : below("/redis", name)), text);
  }

  void refuse_unknown() {
    for (const auto& [name, value] : json_) {
      const std::string_view written = name;
      if (std::ranges::find(members, written) != members.end()) continue;
      const std::string near = did_you_mean(written, members);
      problem(written, near.empty() ? "unknown; expected one of " + all_members() : "unknown" + near);
    }
  }

  void read_address(RedisSettings& made) {
    if (!json_.contains("address"))
      return problem("", "expected \"address\", as 127.0.0.1:6379 or unix:/run/redis.sock");
    made.address = text("address");
    if (!made.address.empty() && !is_address(made.address))
      problem("address", "expected HOST:PORT, or unix: and an absolute path, found " + in_quotes(made.address));
  }

  std::string text(std::string_view name) {
    const Json* const value = json_.if_contains(name);
    if (value == nullptr) return {};
    if (value->is_string() && !value->get_string().empty()) return std::string(value->get_string());
    problem(name, "expected a string that is not empty, found " + std::string(kind_of(*value)));
    return {};
  }

  std::optional<std::int64_t> number(std::string_view name, std::int64_t least, std::int64_t most) {
    const Json* const value = json_.if_contains(name);
    if (value == nullptr) return std::nullopt;
    if (const std::int64_t* const whole = value->if_int64(); whole != nullptr && *whole >= least && *whole <= most)
      return *whole;
    problem(name, "expected a whole number from " + std::to_string(least) + " to " + std::to_string(most));
    return std::nullopt;
  }

  const JsonObject& json_;
  const std::string& directory_;
  const std::function<std::string(const std::string&)>& place_of_;
  Findings& findings_;
  bool is_fine_ = true;
};

}  // namespace

std::optional<RedisSettings> read_redis_settings(const Json& json, const std::string& directory,
                                                 const std::function<std::string(const std::string&)>& place_of,
                                                 Findings& findings) {
  if (const JsonObject* const object = json.if_object()) return Reader(*object, directory, place_of, findings).read();
  findings.problem(place_of("/redis"), "expected an object, found " + std::string(kind_of(json)));
  return std::nullopt;
}

}  // namespace toolwire::bridge
