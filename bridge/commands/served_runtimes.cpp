#include "commands/served_runtimes.hpp"

#include <algorithm>
#include <stdexcept>
#include <utility>

#include <toolwire/json_members.hpp>

#include "activities/runtime/runtime_activity.hpp"
#include "commands/runtime_settings.hpp"
#include "confinement/report.hpp"

namespace toolwire::bridge {
namespace {

using runtimes::RuntimePool;

std::string provider_of(const std::string& runtime) { return "runtime " + runtime; }

/// What of a tool's schemas the bridge does not check. Parameters are checked in the runtime, too, by its own engine,
/// but for the places in `unchecked`.
std::vector<std::string> what_is_left(const RegisteredTool& tool, const std::vector<std::string>& unchecked) {
  const std::string subject = "tool \"" + tool.definition.name + "\": ";
  std::vector<std::string> texts;
  if (!tool.parameters || (!tool.output && !tool.definition.output.is_null())) {
    for (const std::string& note : tool.notes)
      texts.push_back(subject + note + "; what it asks for is left to the runtime");
    return texts;
  }
  for (const SchemaNote& note : tool.parameters->notes()) {
    const bool is_checked = std::ranges::count(unchecked, note.pointer.substr(1)) == 0;
    texts.push_back(subject + note.pointer + " of its parameters is checked by " +
                    (is_checked ? "the runtime only: " : "nobody: ") + note.text);
  }
  if (tool.output) {
    for (const SchemaNote& note : tool.output->notes())
      texts.push_back(subject + note.pointer + " of its output is not checked by the bridge: " + note.text);
  }
  return texts;
}

}  // namespace

ServedRuntimes::ServedRuntimes(Bridge& bridge, std::shared_ptr<Engine> engine, Problem problem)
    : bridge_(bridge), engine_(std::move(engine)), problem_(std::move(problem)) {}

ServedRuntimes::~ServedRuntimes() {
  std::vector<std::shared_ptr<RuntimePool>> pools;
  {
    const MutexLock lock(mutex_);
    is_over_ = true;
    pools = std::move(retired_);
    for (auto& [name, entry] : entries_) pools.push_back(entry.pool);
  }
  for (const auto& pool : pools) pool->retire();
  for (const auto& pool : pools) pool->close();
}

void ServedRuntimes::apply(const std::vector<const Bindings*>& all, IsEnabled is_enabled) {
  std::map<std::string, std::pair<const Bindings*, const Json*>> wanted;
  for (const Bindings* const bindings : all) {
    for (const auto& [name, settings] : bindings->runtimes) wanted.try_emplace(name, bindings, &settings);
  }
  const MutexLock lock(mutex_);
  is_enabled_ = std::move(is_enabled);
  std::map<std::string, Entry> before = std::exchange(entries_, {});
  for (const auto& [name, one] : wanted) {
    const auto& [bindings, settings] = one;
    const auto known = before.find(name);
    const bool is_unchanged =
        known != before.end() && known->second.settings == *settings && known->second.directory == bindings->directory;
    if (auto pool = is_unchanged ? nullptr : make(name, *settings, *bindings)) {
      entries_.emplace(name, Entry{*settings, bindings->directory, std::move(pool), {}, {}, {}});
    } else if (known != before.end()) {
      entries_.insert(before.extract(known));
    }
  }
  for (auto& [name, entry] : before) {
    withdraw(name, entry);
    entry.pool->retire();
    retired_.push_back(std::move(entry.pool));
  }
  for (auto& [name, entry] : entries_) entry.pool->start();
}

std::shared_ptr<RuntimePool> ServedRuntimes::make(const std::string& name, const Json& settings,
                                                  const Bindings& bindings) {
  Findings findings(bindings.file);
  auto options = read_runtime(name, settings, below(bindings.base + "/runtimes", name), bindings.directory, findings);
  for (const ManifestProblem& problem : findings.take_problems_of_file()) problem_(problem.message());
  if (!options) return nullptr;
  options->log = problem_;
  problem_("runtime \"" + name + "\" " + start_text(report_on(options->start.confinement, options->start.kernel)));
  auto pool = std::make_shared<RuntimePool>(std::move(*options), engine_);
  pool->on_tools([this, raw = pool.get()](const runtimes::RuntimeListing& listing) { take(raw, listing); });
  return pool;
}

/// In a callback of the pool.
void ServedRuntimes::take(const RuntimePool* pool, const runtimes::RuntimeListing& listing) {
  const MutexLock lock(mutex_);
  if (is_over_) return;
  for (auto& [name, entry] : entries_) {
    if (entry.pool.get() != pool) continue;
    entry.listing = listing;
    offer(name, entry);
  }
}

void ServedRuntimes::offer() {
  const MutexLock lock(mutex_);
  for (auto& [name, entry] : entries_) offer(name, entry);
}

void ServedRuntimes::offer(const std::string& name, Entry& entry) {
  const Bridge::Pause pause = bridge_.pause();
  ToolRegistry& registry = bridge_.registry().tools();
  ActivityRegistry::Snapshot activities;
  std::vector<ToolDefinition> tools;
  for (ToolDefinition tool : entry.listing.tools) {
    const std::string activity = name + "/" + tool.name;
    activities.emplace(activity, runtimes::make_runtime_activity(entry.pool, tool.name));
    const ToolPointer other = registry.find(tool.name);
    if (other && other->provider != provider_of(name)) {  // a manifest says more about it, and may bind it
      say_who_has_the_name(name, entry, tool.name, other->provider);
      continue;
    }
    tool.activity = activity;
    try {
      const bool enabled = is_enabled_(tool);
      ToolRegistry trial;
      trial.tool(tool, SchemaCare::note);
      say_what_is_left(name, entry, *trial.find(tool.name));
      bridge_.registry().enable(tool.name, enabled);
    } catch (const std::invalid_argument& error) {
      problem_("runtime \"" + name + "\": left out: " + error.what());
      continue;
    }
    tools.push_back(std::move(tool));
  }
  std::vector<std::string> names;
  for (const auto& [activity, pointer] : activities) names.push_back(activity);
  std::vector<std::string> gone;
  std::ranges::set_difference(entry.activities, names, std::back_inserter(gone));
  bridge_.activities().replace(gone, std::move(activities));
  entry.activities = std::move(names);
  try {
    registry.provider(provider_of(name), std::move(tools), {}, SchemaCare::note);
  } catch (const std::invalid_argument& error) {
    problem_("runtime \"" + name + "\": not offered: " + error.what());
  }
}

/// Where another runtime has a tool of the same name, the first that listed it keeps the name.
void ServedRuntimes::say_who_has_the_name(const std::string& name, Entry& entry, const std::string& tool,
                                          const std::string& provider) {
  for (const auto& [other, its_entry] : entries_) {
    if (provider != provider_of(other)) continue;
    const std::string text = "tool \"" + tool + "\" of " + tools_of(entry) + " is left out: runtime \"" + other +
                             "\" has one of that name, of " + tools_of(its_entry);
    if (entry.said.insert(text).second) problem_("runtime \"" + name + "\": " + text);
  }
}

std::string ServedRuntimes::tools_of(const Entry& entry) {
  const std::string& reloads = entry.pool->options().reloads;
  return reloads.empty() ? text_or(entry.settings, "tools") : reloads;
}

/// Once for each part of a schema.
void ServedRuntimes::say_what_is_left(const std::string& name, Entry& entry, const RegisteredTool& tool) {
  const auto found = entry.listing.unchecked.find(tool.definition.name);
  for (const std::string& what :
       what_is_left(tool, found == entry.listing.unchecked.end() ? std::vector<std::string>() : found->second)) {
    if (entry.said.insert(what).second) problem_("runtime \"" + name + "\": " + what);
  }
}

void ServedRuntimes::withdraw(const std::string& name, Entry& entry) {
  const Bridge::Pause pause = bridge_.pause();
  bridge_.registry().tools().remove_provider(provider_of(name));
  bridge_.activities().replace(entry.activities, {});
}

void ServedRuntimes::wait_for_tools(std::chrono::milliseconds time) {
  const auto until = RuntimePool::Clock::now() + time;
  std::vector<std::shared_ptr<RuntimePool>> pools;
  {
    const MutexLock lock(mutex_);
    for (const auto& [name, entry] : entries_) pools.push_back(entry.pool);
  }
  for (const auto& pool : pools) {
    const auto left = std::chrono::ceil<std::chrono::milliseconds>(until - RuntimePool::Clock::now());
    pool->wait_for_tools(std::max(left, std::chrono::milliseconds(0)));
  }
}

std::vector<ConfinedProgram> ServedRuntimes::programs() const {
  const MutexLock lock(mutex_);
  std::vector<ConfinedProgram> all;
  for (const auto& [name, entry] : entries_) {
    const ProcessStart& start = entry.pool->options().start;
    all.push_back({.name = "runtime " + in_quotes(name), .confinement = report_on(start.confinement, start.kernel)});
  }
  return all;
}

std::map<std::string, runtimes::PoolState> ServedRuntimes::states() const {
  const MutexLock lock(mutex_);
  std::map<std::string, runtimes::PoolState> states;
  for (const auto& [name, entry] : entries_) states.emplace(name, entry.pool->state());
  return states;
}

std::shared_ptr<RuntimePool> ServedRuntimes::find(const std::string& name) const {
  const MutexLock lock(mutex_);
  const auto found = entries_.find(name);
  return found == entries_.end() ? nullptr : found->second.pool;
}

}  // namespace toolwire::bridge
