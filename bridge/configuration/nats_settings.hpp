// What a configuration says of the NATS over which replicas and workers reach each other. A plain value; asks nobody.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include <toolwire/json.hpp>

#include "configuration/tls_settings.hpp"
#include "manifest/findings.hpp"

namespace toolwire::bridge {

struct NatsSettings {
  std::string address = {};  ///< "HOST:PORT".
  WaySettings way = {};
  std::string nkey_file = {};  ///< Absolute; its first line is the seed of a user. Empty: none is asked for.
  std::string prefix = "toolwire";
  std::vector<std::string> workers = {};  ///< Whose tools a replica offers.
  std::string worker = {};                ///< The name under which a worker offers its own; empty: it is none.
};

/// Reads the member "nats". Relative paths count from `directory`. `place_of`: where the file has what stands at a
/// pointer, "/nats/…". Nothing if there are problems, which go to `findings`.
std::optional<NatsSettings> read_nats_settings(const Json& json, const std::string& directory,
                                               const std::function<std::string(const std::string&)>& place_of,
                                               Findings& findings);

}  // namespace toolwire::bridge
