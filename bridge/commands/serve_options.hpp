// The command line of `toolwire-bridge serve`. A plain value.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <vector>

#include <toolwire/bridge/registry.hpp>
#include <toolwire/command_line.hpp>

#include "activities/mcp/options.hpp"
#include "policy/preferred_approval.hpp"

namespace toolwire::bridge {

struct ServeOptions {
  std::vector<std::string> files = {};
  std::string bindings = {};
  std::string profile = {};
  std::vector<std::string> scenarios = {};
  std::vector<std::string> servers = {};
  std::vector<std::string> runtimes = {};
  std::string preferences = {};
  std::string audit = {};
  std::string metrics = {};
  std::string approval = {};
  std::string latent = {};
  std::vector<std::string> allowed_addresses = {};
  bool no_watch = false;

  /// What the words mean, once parsed.
  AskedBy asked_by = AskedBy::bridge;
  std::optional<Latent> latent_kind = {};
  std::vector<mcp::BackEndOptions> back_ends = {};
  std::map<std::string, Json> runtime_settings = {};
};

/// Adds the options to the line; `into` must live until it has been parsed.
void add_serve_options(CommandLine& line, ServeOptions& into);

/// Fills in what the words mean. Throws std::invalid_argument listing every mistake, one a line.
void interpret(ServeOptions& options);

}  // namespace toolwire::bridge
