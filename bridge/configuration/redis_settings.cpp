#include "configuration/redis_settings.hpp"

#include <array>
#include <charconv>
#include <cstdint>
#include <filesystem>
#include <string_view>
#include <utility>

#include "manifest/members.hpp"
#include "manifest/settings_reader.hpp"

namespace toolwire::bridge {
namespace {

constexpr std::array<std::string_view, 8> members{"address", "user",     "password_file", "tls",
                                                  "tunnel",  "database", "prefix",        "lease_seconds"};
constexpr std::string_view unix_scheme = "unix:";
constexpr std::int64_t most_databases = 1'000'000;
constexpr std::int64_t longest_lease = 86'400;

bool is_port(std::string_view text) {
  unsigned port = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), port);
  return error == std::errc() && end == text.data() + text.size() && port > 0 && port < 65'536;
}

bool is_address(std::string_view text) {
  if (text.starts_with(unix_scheme)) return text.size() > unix_scheme.size() && text[unix_scheme.size()] == '/';
  const std::size_t colon = text.rfind(':');
  return colon != std::string_view::npos && colon > 0 && is_port(text.substr(colon + 1));
}

RedisSettings read(SettingsReader& stated, const std::filesystem::path& directory) {
  stated.refuse_unknown(members);
  RedisSettings made;
  made.address = stated.needed_text("address", "127.0.0.1:6379 or unix:/run/redis.sock");
  if (!made.address.empty() && !is_address(made.address))
    stated.problem("address", "expected HOST:PORT, or unix: and an absolute path, found " + in_quotes(made.address));
  made.user = stated.text("user");
  if (const std::string file = stated.text("password_file"); !file.empty())
    made.password_file = (directory / file).lexically_normal().string();
  if (stated.has("prefix")) made.prefix = stated.text("prefix");
  made.database = static_cast<unsigned>(stated.number("database", 0, most_databases).value_or(0));
  if (const auto seconds = stated.number("lease_seconds", 1, longest_lease))
    made.lease = std::chrono::seconds(*seconds);
  return made;
}

}  // namespace

std::optional<RedisSettings> read_redis_settings(const Json& json, const std::string& directory,
                                                 const std::function<std::string(const std::string&)>& place_of,
                                                 Findings& findings) {
  if (const JsonObject* const object = json.if_object()) {
    SettingsReader stated(*object, "/redis", place_of, findings);
    RedisSettings made = read(stated, directory);
    if (!stated.is_fine()) return std::nullopt;
    const bool is_unix = made.address.starts_with(unix_scheme);
    const auto way = read_way({*object, "/redis", directory, place_of}, made.address, is_unix, findings);
    if (!way) return std::nullopt;
    made.way = *way;
    return made;
  }
  findings.problem(place_of("/redis"), "expected an object, found " + std::string(kind_of(json)));
  return std::nullopt;
}

}  // namespace toolwire::bridge
