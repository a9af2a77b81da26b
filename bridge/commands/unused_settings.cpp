#include "commands/unused_settings.hpp"

#include <algorithm>
#include <iterator>
#include <memory>
#include <utility>

#include "commands/tool_settings.hpp"
#include "manifest/findings.hpp"

namespace toolwire::bridge {

UnusedSettings::UnusedSettings(const ServeOptions& options, mcp::Offer& offer, std::set<std::string> own_tools,
                               bool more_may_come)
    : options_(options), offer_(offer), own_tools_(std::move(own_tools)), more_may_come_(more_may_come) {}

std::vector<std::string> UnusedSettings::all(const Preferences& preferences) const {
  std::vector<std::string> lines = always_listed();
  std::ranges::move(keys(preferences), std::back_inserter(lines));
  std::ranges::move(filters(), std::back_inserter(lines));
  return lines;
}

std::vector<std::string> UnusedSettings::keys(const Preferences& preferences) const {
  std::vector<std::string> lines;
  for (const UnusedKey& unused : unused_tool_settings(preferences, names())) {
    if (knows_tools_of(unused.key)) lines.push_back(line(unused.key, unused.text));
  }
  return lines;
}

std::vector<std::string> UnusedSettings::keys_of_edit(const Preferences& before, const Preferences& edited) const {
  std::vector<std::string> lines;
  for (const UnusedKey& unused :
       mistyped_by_edit(before, edited, names(), [this](const std::string& key) { return knows_tools_of(key); }))
    lines.push_back(line(unused.key, unused.text));
  return lines;
}

std::vector<std::string> UnusedSettings::always_listed() const {
  std::vector<std::string> lines;
  if (options_.search() == nullptr || options_.search()->always.empty() || !options_.scenarios.empty() ||
      !offer_.have_all_answered())
    return lines;
  std::vector<std::pair<std::string, std::string>> tools;
  for (const std::string& name : offer_.tool_names()) tools.emplace_back(name, offer_.origin_of(name));
  for (const std::string& name : own_tools_) tools.emplace_back(name, "");
  for (const std::string& entry : unused_always_listed(*options_.search(), tools))
    lines.push_back("/toolwire/search/always: there is no tool " + in_quotes(entry) + " now");
  return lines;
}

std::vector<std::string> UnusedSettings::filters() const {
  std::vector<std::string> lines;
  if (!offer_.have_all_answered()) return lines;
  for (const std::shared_ptr<mcp::BackEnd>& server : offer_.back_ends()) {
    const auto stated = std::ranges::find(options_.back_ends, server->name(), &mcp::BackEndOptions::name);
    if (stated == options_.back_ends.end() || server->state().failures > 0) continue;
    for (const std::string& text : unused_filters(*stated, server->tools()))
      lines.push_back("server " + in_quotes(server->name()) + ": " + text);
  }
  return lines;
}

/// Not where other tools may come, or the tools of a server could not be had.
bool UnusedSettings::knows_all_tools() const {
  const auto has_failed = [](const std::shared_ptr<mcp::BackEnd>& one) { return one->state().failures > 0; };
  const std::vector<std::shared_ptr<mcp::BackEnd>>& servers = offer_.back_ends();
  return !more_may_come_ && !servers.empty() && offer_.have_all_answered() && std::ranges::none_of(servers, has_failed);
}

/// Whether all tools that a key can mean are known: those of its server, if it names one that is served here.
bool UnusedSettings::knows_tools_of(const std::string& key) const {
  if (knows_all_tools()) return true;
  return std::ranges::any_of(offer_.back_ends(), [&](const std::shared_ptr<mcp::BackEnd>& server) {
    const std::string& name = server->name();
    return key.starts_with(name) && key.substr(name.size()).starts_with('/') && !server->tools().empty();
  });
}

/// All by which settings may mean a tool that there is.
std::vector<std::string> UnusedSettings::names() const {
  std::vector<std::string> names = offer_.tool_names();
  std::ranges::copy(own_tools_, std::back_inserter(names));
  for (const std::shared_ptr<mcp::BackEnd>& server : offer_.back_ends()) {
    for (const Json& tool : server->tools())
      std::ranges::move(names_of_tool(server->name(), mcp::name_of(tool)), std::back_inserter(names));
  }
  return names;
}

std::string UnusedSettings::line(const std::string& key, const std::string& text) const {
  return below(options_.configured ? "/toolwire/tools" : "/tools", key) + ": " + text;
}

}  // namespace toolwire::bridge
