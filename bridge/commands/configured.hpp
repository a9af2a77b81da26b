// What the one file of a bridge makes it do: its servers, and all that stands in "toolwire". Starts nothing.
#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "activities/bindings.hpp"
#include "activities/mcp/options.hpp"
#include "authorization/settings.hpp"
#include "commands/listen_settings.hpp"
#include "configuration/configuration.hpp"
#include "configuration/nats_settings.hpp"
#include "configuration/redis_settings.hpp"
#include "policy/preferences.hpp"
#include "traces/settings.hpp"

namespace toolwire::bridge {

/// A plain value. Paths are absolute; what is not stated is empty.
struct Configured {
  /// Many tools behind two, see search/tool_search.hpp.
  struct Search {
    std::vector<std::string> always = {};  // names and patterns of tools that are listed nevertheless
  };
  std::string file = {};
  std::vector<mcp::BackEndOptions> back_ends = {};  // those that are offered, in the order of the file
  std::map<std::string, std::string> places = {};   // of servers, as pointers, by name
  std::vector<std::string> manifests = {};
  std::vector<std::string> scenarios = {};
  std::optional<Bindings> bindings = {};
  Preferences preferences = {};
  bool has_preferences = false;
  std::string approval = {};
  std::string latent = {};
  std::string audit = {};
  std::string metrics = {};
  std::vector<std::string> allowed_addresses = {};
  std::optional<std::chrono::milliseconds> start_wait = {};
  std::optional<Search> search = {};
  std::optional<ListenSettings> listen = {};                // where `http` listens
  std::optional<RedisSettings> redis = {};                  // what `toolwire-cluster serve` shares with other replicas
  std::optional<NatsSettings> nats = {};                    // and over which they reach each other and workers
  std::optional<AuthorizationSettings> authorization = {};  // whose tokens `serve` takes over HTTP
  std::optional<traces::Settings> tracing = {};             // where spans are sent
  std::size_t page = 0;                                     // items on a page of a list; 0: one page
  std::int64_t calls_per_minute = 0;                        // of all tools by one caller; 0: unlimited
  bool watch = true;
  bool remember = true;
  Json at_start = {};                     // what counts at the start only, to be compared
  std::vector<std::string> secrets = {};  // values that nobody else is to read

  /// Callers over HTTP need scopes for some of what is served.
  bool needs_scopes() const;
};

/// There is one exactly if there are no problems.
struct ConfiguredReading {
  std::optional<Configured> configured = {};
  std::vector<ManifestProblem> problems = {};
  std::vector<ManifestProblem> hints = {};
  std::vector<std::string> profiles = {};  // the names of all there are, as far as it could be read
};

struct ConfiguredOptions {
  std::string profile = {};
  bool allow_commands = false;  // ${cmd:…} runs programs
};

ConfiguredReading read_configured(const std::string& file, const ConfiguredOptions& options);

}  // namespace toolwire::bridge
