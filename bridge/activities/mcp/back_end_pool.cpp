#include "activities/mcp/back_end_pool.hpp"

#include "activities/mcp/activity.hpp"
#include "activities/mcp/server_settings.hpp"
#include "manifest/findings.hpp"

namespace toolwire::bridge::mcp {

BackEndPool::Reading BackEndPool::read(const Bindings& bindings) {
  Reading reading;
  Findings findings(bindings.file);
  std::map<std::string, BackEndOptions> servers;
  for (const auto& [name, settings] : bindings.servers) {
    if (settings.is_null()) continue;  // taken away by the profile
    servers[name] = read_server(name, settings, below("/servers", name), bindings.directory, findings);
    servers[name].log = log_;
  }
  std::vector<std::pair<std::string, McpSettings>> wanted;
  for (const auto& [name, binding] : bindings.by_name) {
    if (binding.kind != "mcp") continue;
    wanted.emplace_back(name, read_mcp_settings(name, binding.settings, binding.pointer, findings));
    const std::string& server = wanted.back().second.server;
    if (!server.empty() && !servers.contains(server))
      findings.problem(below(binding.pointer, "server"), "there is no server " + quoted(server) + " in \"servers\"");
  }
  reading.problems = findings.take_problems({});
  if (!reading.problems.empty()) return reading;

  std::map<std::string, Entry> entries;
  {
    const std::lock_guard lock(mutex_);
    for (auto& [name, options] : servers) {
      const Json& settings = bindings.servers.at(name);
      const auto known = entries_.find(name);
      const bool same = known != entries_.end() && known->second.settings == settings &&
                        known->second.directory == bindings.directory;
      entries[name] = {settings, bindings.directory,
                       same ? known->second.back_end : std::make_shared<BackEnd>(std::move(options))};
    }
    entries_.swap(entries);  // those that are gone end without the lock
  }
  const auto back_ends_now = back_ends();
  for (const auto& [name, settings] : wanted)
    reading.activities.emplace_back(name,
                                    std::make_shared<McpActivity>(back_ends_now.at(settings.server), settings.tool));
  return reading;
}

std::map<std::string, std::shared_ptr<BackEnd>> BackEndPool::back_ends() const {
  const std::lock_guard lock(mutex_);
  std::map<std::string, std::shared_ptr<BackEnd>> all;
  for (const auto& [name, entry] : entries_) all[name] = entry.back_end;
  return all;
}

void BackEndPool::end() {
  const auto all = back_ends();
  for (const auto& [name, back_end] : all) back_end->stop();
  for (const auto& [name, back_end] : all) back_end->end();
}

}  // namespace toolwire::bridge::mcp
