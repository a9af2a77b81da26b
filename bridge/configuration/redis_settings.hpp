// What a configuration says of the Redis in which replicas keep what they share. A plain value; asks nobody.
#pragma once

#include <chrono>
#include <functional>
#include <optional>
#include <string>

#include <toolwire/json.hpp>

#include "configuration/tls_settings.hpp"
#include "manifest/findings.hpp"

namespace toolwire::bridge {

struct RedisSettings {
  std::string address = {};  ///< "HOST:PORT" or "unix:PATH".
  WaySettings way = {};
  std::string user = {};           ///< Empty: the default user.
  std::string password_file = {};  ///< Absolute; its first line is the password. Empty: none is asked for.
  unsigned database = 0;
  std::string prefix = "toolwire:";
  std::chrono::seconds lease{30};  ///< How long a replica that says nothing counts as running.
};

/// Reads the member "redis". Relative paths count from `directory`. `place_of`: where the file has what stands at a
/// pointer, "/redis/…". Nothing if there are problems, which go to `findings`.
std::optional<RedisSettings> read_redis_settings(const Json& json, const std::string& directory,
                                                 const std::function<std::string(const std::string&)>& place_of,
                                                 Findings& findings);

}  // namespace toolwire::bridge
