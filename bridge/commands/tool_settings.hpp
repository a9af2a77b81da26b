// Settings of tools that nothing would follow from: a name that was mistyped would leave a tool without its policy.
#pragma once

#include <functional>
#include <string>
#include <utility>
#include <vector>

#include <toolwire/bridge/manifest.hpp>

#include "activities/mcp/options.hpp"
#include "commands/configured.hpp"
#include "commands/tool_sources.hpp"
#include "policy/preferences.hpp"

namespace toolwire::bridge {

/// Where tools come from besides files.
struct OtherTools {
  std::vector<std::string> servers = {};
  bool runtimes = false;
  bool scenarios = false;

  bool possible() const { return !servers.empty() || runtimes || scenarios; }
};
OtherTools other_tools(const std::vector<mcp::BackEndOptions>& servers, const std::vector<std::string>& scenarios,
                       const LoadedSources& loaded);

/// A problem for each key without a star that is no tool of these files, with the nearest name there is, unless
/// servers, scenarios or runtimes may have it; and for each "name" of such a tool, whose key has to stay when its name
/// changes; and for a "confinement" of what cannot be confined. `file` has the entries at `pointer`.
std::vector<ManifestProblem> useless_tool_settings(const Preferences& preferences, const std::string& file,
                                                   const std::string& pointer, const LoadedSources& loaded,
                                                   const OtherTools& others);

/// A problem for each entry of `always` (Configured::Search) that fits no tool of these files, unless servers,
/// scenarios or runtimes may have it.
std::vector<ManifestProblem> useless_always_listed(const Configured& configured, const LoadedSources& loaded,
                                                   const OtherTools& others);

/// A problem for each entry of `always` that fits none of `names`: all by which it may mean a tool that there is.
std::vector<ManifestProblem> unfit_always_listed(const Configured& configured, const std::vector<std::string>& names);

/// Whether an entry of `always` means the tool that hosts know by this name and that comes from `origin`
/// (ToolDefinition::origin; empty: from a file).
bool is_always_listed(const Configured::Search& search, const std::string& tool, const std::string& origin);

/// Every name by which settings may mean a tool of a server, given by its own.
std::vector<std::string> names_of_tool(const std::string& server, const std::string& tool);

/// A key that fits none of the tools there are, and what is to be said of it, with the nearest name.
struct UnusedKey {
  std::string key;
  std::string text;
};
/// `names`: all names by which settings may mean a tool that there is.
std::vector<UnusedKey> unused_tool_settings(const Preferences& preferences, const std::vector<std::string>& names);

/// The new keys of an edit that fit none of the tools there are, where a key that fits one goes with the same edit:
/// most often that one was mistyped, and its tool would be without its settings. None where either is not so.
/// `is_known`: whether all tools that a key can mean are among `names`.
std::vector<UnusedKey> mistyped_by_edit(const Preferences& before, const Preferences& edited,
                                        const std::vector<std::string>& names,
                                        const std::function<bool(const std::string& key)>& is_known);

/// What is to be said of names that an entry offers or leaves out (`includeTools`, `excludeTools`) and that none of the
/// server's tools has.
std::vector<std::string> unused_filters(const mcp::BackEndOptions& server, const std::vector<Json>& tools);

/// The entries of `always` that fit none of these tools, given as names and origins.
std::vector<std::string> unused_always_listed(const Configured::Search& search,
                                              const std::vector<std::pair<std::string, std::string>>& tools);

}  // namespace toolwire::bridge
