// How a bridge is doing: its back-ends, scenarios and runtimes, as JSON, and that for people. Starts nothing.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include <toolwire/json.hpp>

#include "activities/mcp/back_end.hpp"
#include "activities/runtime/pool.hpp"
#include "confinement/confined.hpp"
#include "http/scenario_cache.hpp"

namespace toolwire::bridge {

/// A runtime of tools in another language.
struct RuntimeView {
  std::string name = {};
  runtimes::PoolState state = {};
};

/// Of a bridge that many hosts share.
struct SharedView {
  std::string where = {};                      // the path of a socket, or a URL
  std::string log = {};                        // where it writes; empty: to standard error
  std::optional<std::vector<int>> peers = {};  // the processes that are attached, each as often as it is; none: of HTTP
};

/// What a report is made of.
struct Reported {
  std::vector<std::string> files = {};  // that it serves, or its configuration
  std::vector<std::shared_ptr<mcp::BackEnd>> back_ends = {};
  std::vector<ConfinedProgram> programs = {};
  std::vector<ScenarioView> scenarios = {};
  std::vector<RuntimeView> runtimes = {};
  std::vector<std::string> unused_settings = {};  // what there is to say of each that means no tool there is
  std::optional<SharedView> shared = {};
  std::vector<std::string> secrets = {};  // values that are taken out of it
};

/// {"version", "process", "files", "back_ends": [{"name", "state": "running" | "not started" | "starting" | "down",
/// "restarts", "failures", "tools", "changed", "calls", "errors", "mean_ms", "slowest_ms", "separate", "copies",
/// "last_words"}],
/// "programs": [{"name", "confinement"}], "scenarios": [{"url", "state": "unknown" | "fresh" | "stale" | "absent",
/// "problem"}], "runtimes": [{"name", "processes", "calls", "starts", "failures", "last_words", "rejected"}],
/// "unused_settings": [text]}:
/// `separate` says that each host has a process of its own, `copies` how many
/// that are; `processes` are those that can be called, `calls` those that wait or run, `rejected` says why edited tools
/// do not serve, but those before the edit ("": they serve). Of one that is shared there is "shared": {"where", "log"}
/// too, on a socket with "peers": [process, …].
Json report_of(const Reported& reported);

/// A few lines with a table, fit for a terminal.
std::string report_text(const Json& report);

/// A page of HTML without scripts and styles; all that is not from here is text in it.
std::string report_page(const Json& report);

}  // namespace toolwire::bridge
