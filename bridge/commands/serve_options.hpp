// The command line of `toolwire-bridge serve`. A plain value.
#pragma once

#include <chrono>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include <toolwire/bridge/registry.hpp>
#include <toolwire/command_line.hpp>
#include <toolwire/engine.hpp>
#include <toolwire/server_options.hpp>

#include "activities/mcp/options.hpp"
#include "commands/configured.hpp"
#include "policy/preferred_approval.hpp"

namespace toolwire::bridge {

/// How a server ends whose clients are to notice nothing of it.
struct Ending {
  std::chrono::seconds notice{1};  // see ServerOptions::notice
  std::chrono::seconds drain{20};  // after that, for calls under way
};

struct ServeOptions {
  std::vector<std::string> files = {};
  std::string bindings = {};
  std::string profile = {};
  std::vector<std::string> scenarios = {};
  std::vector<std::string> servers = {};
  std::vector<std::string> headers = {};
  std::string prefix = {};
  std::vector<std::string> inherited = {};
  std::string wait = {};
  std::vector<std::string> runtimes = {};
  std::string preferences = {};
  std::string audit = {};
  std::string metrics = {};
  std::string approval = {};
  std::string latent = {};
  std::vector<std::string> allowed_addresses = {};
  bool no_watch = false;
  bool allow_commands = false;
  bool forgetful = false;
  bool is_over_http = false;    // metrics are offered there, and callers may be strangers to each other
  bool only_manifests = false;  // no other tool files
  bool is_shared = false;       // several hosts are served at once
  bool calls_scenarios = true;  // tools without a binding are those of the scenario at its `base_url`

  /// Makes a server keep in Redis what replicas share; empty: this program cannot.
  using UseRedis = std::function<void(const RedisSettings&, const std::shared_ptr<Engine>&, ServerOptions&)>;
  UseRedis use_redis = {};
  /// What clients of other servers are told, too; empty: there are no others.
  std::shared_ptr<EventBus> events = {};
  Identify identify = {};             // of a server that is told by others who calls
  std::optional<Ending> ending = {};  // nothing: at once

  /// What the words mean, once parsed.
  AskedBy asked_by = AskedBy::bridge;
  std::optional<Latent> latent_kind = {};
  std::vector<mcp::BackEndOptions> back_ends = {};
  /// Of a host, for the tools of other servers: below the three seconds that some hosts give a server to start.
  std::chrono::milliseconds start_wait{2'500};
  std::map<std::string, Json> runtime_settings = {};
  std::string configuration_profile = {};
  std::string configuration = {};  // the one of `files` that is a configuration; it is not among them any more
  std::optional<Configured> configured = {};
  const Configured::Search* search() const { return configured && configured->search ? &*configured->search : nullptr; }
  bool has_preferences() const { return !preferences.empty() || (configured && configured->has_preferences); }
  /// Callers over HTTP need scopes for some of what is served, as far as files say it that can be read.
  bool needs_scopes() const;
};

/// Adds the options to the line; `into` must live until it has been parsed.
void add_serve_options(CommandLine& line, ServeOptions& into);

/// Fills in what the words mean, and what the configuration says, whose problems go to `say`. Throws
/// std::invalid_argument listing every mistake, one a line.
void interpret(ServeOptions& options, const std::function<void(const std::string&)>& say);

}  // namespace toolwire::bridge
