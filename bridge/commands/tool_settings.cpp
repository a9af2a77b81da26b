#include "commands/tool_settings.hpp"

#include <algorithm>
#include <string_view>

#include "activities/mcp/tool_names.hpp"
#include "commands/tool_confinement.hpp"
#include "manifest/findings.hpp"

namespace toolwire::bridge {

OtherTools other_tools(const std::vector<mcp::BackEndOptions>& servers, const std::vector<std::string>& scenarios,
                       const LoadedSources& loaded) {
  OtherTools others{.scenarios = !scenarios.empty()};
  for (const mcp::BackEndOptions& server : servers) others.servers.push_back(server.name);
  others.runtimes = !loaded.bindings.runtimes.empty() || std::ranges::any_of(loaded.sources, [](const ToolSource& one) {
    return !one.bindings.runtimes.empty();
  });
  return others;
}

std::vector<ManifestProblem> useless_tool_settings(const Preferences& preferences, const std::string& file,
                                                   const std::string& pointer, const LoadedSources& loaded,
                                                   const OtherTools& others) {
  std::vector<std::string_view> known;
  for (const ToolSource& source : loaded.sources) {
    for (const ToolDefinition& tool : source.tools.tools) known.push_back(tool.name);
    known.insert(known.end(), source.left_out.begin(), source.left_out.end());
  }
  Findings findings(file);
  for (const std::string& key : preferences.keys()) {
    if (key.find_first_of("*/") != std::string::npos) continue;
    const std::string place = below(pointer, key);
    if (std::ranges::find(known, key) != known.end()) continue;
    if (!others.possible()) {
      findings.problem(place, "there is no tool of this name" + did_you_mean(key, known));
    } else if (preferences.preference(key).name) {
      findings.problem(below(place, "name"), "expected the key SERVER/TOOL, or that of a tool of a file");
    }
  }
  look_for_useless_confinement(preferences, pointer, loaded, others.servers, others.runtimes, findings);
  return findings.take_problems_of_file();
}

std::vector<ManifestProblem> unfit_always_listed(const Configured& configured, const std::vector<std::string>& names) {
  if (!configured.search) return {};
  const std::vector<std::string_view> known(names.begin(), names.end());
  Findings findings(configured.file);
  const std::vector<std::string>& always = configured.search->always;
  for (std::size_t i = 0; i < always.size(); ++i) {
    if (std::ranges::none_of(names, [&](const std::string& name) { return fits_pattern(name, always[i]); }))
      findings.problem(below("/toolwire/search/always", i), "there is no such tool" + did_you_mean(always[i], known));
  }
  return findings.take_problems_of_file();
}

std::vector<ManifestProblem> useless_always_listed(const Configured& configured, const LoadedSources& loaded,
                                                   const OtherTools& others) {
  if (!configured.search || others.possible()) return {};
  std::vector<std::string> known;
  for (const ToolSource& source : loaded.sources) {
    for (const ToolDefinition& tool : source.tools.tools)
      known.push_back(configured.preferences.preference(tool.name, tool.origin).name.value_or(tool.name));
  }
  return unfit_always_listed(configured, known);
}

namespace {

bool fits(const std::string& pattern, const std::string& tool, const std::string& origin) {
  return fits_pattern(tool, pattern) || (!origin.empty() && fits_pattern(origin, pattern));
}

}  // namespace

bool is_always_listed(const Configured::Search& search, const std::string& tool, const std::string& origin) {
  return std::ranges::any_of(search.always, [&](const std::string& entry) { return fits(entry, tool, origin); });
}

std::vector<std::string> names_of_tool(const std::string& server, const std::string& tool) {
  return {tool, mcp::mapped_name(tool), mcp::mapped_name(server + "_" + tool), server + "/" + tool};
}

std::vector<UnusedKey> unused_tool_settings(const Preferences& preferences, const std::vector<std::string>& names) {
  const std::vector<std::string_view> known(names.begin(), names.end());
  std::vector<UnusedKey> unused;
  for (const std::string& key : preferences.keys()) {
    if (std::ranges::any_of(names, [&](const std::string& name) { return fits_pattern(name, key); })) continue;
    const bool is_pattern = key.find('*') != std::string::npos;
    unused.push_back(
        {key, is_pattern ? "there is no tool that it fits" : "there is no such tool" + did_you_mean(key, known)});
  }
  return unused;
}

std::vector<UnusedKey> mistyped_by_edit(const Preferences& before, const Preferences& edited,
                                        const std::vector<std::string>& names,
                                        const std::function<bool(const std::string& key)>& is_known) {
  const std::vector<std::string> old_keys = before.keys();
  const std::vector<std::string> new_keys = edited.keys();
  const auto is_in = [](const std::vector<std::string>& keys, const std::string& key) {
    return std::ranges::find(keys, key) != keys.end();
  };
  const auto goes = std::ranges::find_if(old_keys, [&](const std::string& key) {
    return !is_in(new_keys, key) &&
           std::ranges::any_of(names, [&](const std::string& name) { return fits_pattern(name, key); });
  });
  if (goes == old_keys.end()) return {};
  std::vector<UnusedKey> mistyped = unused_tool_settings(edited, names);
  std::erase_if(mistyped, [&](const UnusedKey& one) { return is_in(old_keys, one.key) || !is_known(one.key); });
  for (UnusedKey& one : mistyped) one.text += "; " + in_quotes(*goes) + " would go with the same edit";
  return mistyped;
}

std::vector<std::string> unused_filters(const mcp::BackEndOptions& server, const std::vector<Json>& tools) {
  std::vector<std::string> names;
  names.reserve(tools.size());
  for (const Json& tool : tools) names.push_back(mcp::name_of(tool));
  const std::vector<std::string_view> known(names.begin(), names.end());
  std::vector<std::string> unused;
  const auto look = [&](const std::vector<std::string>& filter, const char* wanted) {
    for (const std::string& name : filter) {
      if (std::ranges::find(names, name) == names.end())
        unused.push_back("there is no tool " + in_quotes(name) + ", which " + wanted + did_you_mean(name, known));
    }
  };
  look(server.only_tools.value_or(std::vector<std::string>()), "is to be offered");
  look(server.excluded_tools, "is to be left out");
  return unused;
}

std::vector<std::string> unused_always_listed(const Configured::Search& search,
                                              const std::vector<std::pair<std::string, std::string>>& tools) {
  std::vector<std::string> unused;
  for (const std::string& entry : search.always) {
    if (std::ranges::none_of(tools, [&](const auto& tool) { return fits(entry, tool.first, tool.second); }))
      unused.push_back(entry);
  }
  return unused;
}

}  // namespace toolwire::bridge
