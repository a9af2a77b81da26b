// What a configuration says of the NATS over which replicas and workers reach each other. A plain value; asks nobody.
#pragma once

#include <chrono>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include <toolwire/json.hpp>

#include "configuration/tls_settings.hpp"
#include "manifest/findings.hpp"

namespace toolwire::bridge {

/// Where tasks wait for workers, and what they have come to.
struct JetStreamSettings {
  std::string stream = "toolwire";  ///< Its name; that of the results ends with "-results".
  int replicas = 1;
  std::chrono::seconds max_age{86'400};              ///< Until what nobody has begun is given up.
  std::int64_t max_bytes = std::int64_t{256} << 20;  ///< Of each of both streams.
  std::chrono::seconds lease{30};                    ///< How long a worker that says nothing counts as running.
  std::size_t max_tasks = 16;                        ///< Of a worker: at once.
};

struct NatsSettings {
  std::string address = {};  ///< "HOST:PORT".
  WaySettings way = {};
  std::string nkey_file = {};  ///< Absolute; its first line is the seed of a user. Empty: none is asked for.
  std::string prefix = "toolwire";
  std::vector<std::string> workers = {};  ///< Whose tools a replica offers.
  std::string worker = {};                ///< The name under which a worker offers its own; empty: it is none.
  std::optional<JetStreamSettings> jetstream = {};  ///< Nothing: tasks end with the replica that began them.
};

/// Reads the member "nats". Relative paths count from `directory`. `place_of`: where the file has what stands at a
/// pointer, "/nats/…". Nothing if there are problems, which go to `findings`.
std::optional<NatsSettings> read_nats_settings(const Json& json, const std::string& directory,
                                               const std::function<std::string(const std::string&)>& place_of,
                                               Findings& findings);

}  // namespace toolwire::bridge
