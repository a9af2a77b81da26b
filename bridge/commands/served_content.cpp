#include "commands/served_content.hpp"

#include <algorithm>
#include <iterator>
#include <stdexcept>
#include <unordered_map>
#include <utility>

#include <toolwire/json_members.hpp>
#include <toolwire/text.hpp>

#include "activities/failed_activity.hpp"
#include "activities/mcp/mcp_activity.hpp"
#include "activities/runtime/runtime_activity.hpp"
#include "commands/back_end_settings.hpp"
#include "commands/logins.hpp"
#include "commands/tool_confinement.hpp"
#include "confinement/confined.hpp"
#include "manifest/findings.hpp"
#include "system/program_version.hpp"

namespace toolwire::bridge {
namespace {

std::string activity_name(const ToolDefinition& tool) { return tool.activity.value_or(tool.name); }

/// The first tool that each Activity runs.
using FirstUsers = std::unordered_map<std::string, const ToolDefinition*>;

FirstUsers first_users(const std::vector<ToolDefinition>& tools) {
  FirstUsers users;
  for (const ToolDefinition& tool : tools) users.try_emplace(activity_name(tool), &tool);
  return users;
}

bool is_unconfined_program(const Activity* activity) {
  const auto* const confined = dynamic_cast<const Confined*>(activity);
  return confined != nullptr && activity->kind() == "process" && !confined->confinement().says_something();
}

/// One line for all of them, which may be many.
std::string unconfined_text(const std::vector<std::string>& names) {
  constexpr std::size_t longest = 1000;
  std::string list;
  for (const std::string& name : names) list += (list.empty() ? "\"" : ", \"") + name + '"';
  const std::string_view shown = text::head(list, longest);
  return "not confined, so that they may do what this user may: " + std::string(shown) +
         (shown.size() < list.size() ? " …" : "");
}

std::string confinement_text(const std::string& name, const Activity* activity) {
  const auto* const confined = dynamic_cast<const Confined*>(activity);
  if (confined == nullptr || !confined->confinement().says_something()) return {};
  return "\"" + name + "\" " + start_text(confined->confinement());
}

const Manifest* only_manifest(const LoadedSources& loaded) {
  if (loaded.sources.size() != 1 || loaded.sources.front().tools.manifests.size() != 1) return nullptr;
  return &loaded.sources.front().tools.manifests.front();
}

}  // namespace

ServedContent::ServedContent(Bridge& bridge, ActivityServices services, KeptListings& kept, Problem problem,
                             Options options)
    : bridge_(bridge),
      services_(std::move(services)),
      kept_(kept),
      options_(std::move(options)),
      problem_(std::move(problem)),
      runtimes_(bridge, services_.engine, problem_) {}

ServedContent::~ServedContent() {
  for (const auto& [name, server] : servers_) server.back_end->stop();
  for (const auto& [name, server] : servers_) server.back_end->end();
}

std::vector<std::shared_ptr<mcp::BackEnd>> ServedContent::back_ends() const {
  std::vector<std::shared_ptr<mcp::BackEnd>> all;
  for (const auto& [name, server] : servers_) all.push_back(server.back_end);
  return all;
}

std::vector<ConfinedProgram> ServedContent::programs() const {
  std::vector<ConfinedProgram> all;
  for (const auto& [name, activity] : bridge_.activities().snapshot()) {
    const auto* const confined = dynamic_cast<const Confined*>(activity.get());
    if (confined != nullptr && activity->kind() == "process")
      all.push_back({.name = in_quotes(name), .confinement = confined->confinement()});
  }
  std::ranges::move(runtimes_.programs(), std::back_inserter(all));
  return all;
}

void ServedContent::apply(const LoadedSources& loaded, const Preferences& preferences) {
  const Bridge::Pause pause = bridge_.pause();
  std::vector<const Bindings*> bindings{&loaded.bindings};
  for (const ToolSource& source : loaded.sources) bindings.push_back(&source.bindings);
  runtimes_.apply(bindings, [preferences](ToolDefinition& tool) {
    if (const std::string missing = missing_confinement(preferences, tool.name); !missing.empty())
      throw std::invalid_argument("tool " + in_quotes(tool.name) + ": " + missing);
    tool = preferences.as_wanted(std::move(tool));
    return preferences.is_enabled(tool);
  });
  const WantedConfinements wanted(preferences, loaded);
  ActivityRegistry::Snapshot activities;
  std::vector<std::pair<const ToolSource*, std::vector<ToolDefinition>>> offered;
  for (const ToolSource& source : loaded.sources) {
    std::vector<ToolDefinition> tools;
    for (const ToolDefinition& tool : source.tools.tools) tools.push_back(preferences.as_wanted(tool));
    const BoundNames bound = bound_names(loaded, source);
    bind(bound, source, tools, wanted, activities);
    if (options_.calls_scenarios) add_scenario_activities(source, tools, activities);
    fail_what_was_bound(bound, loaded, source, tools, activities);
    offered.emplace_back(&source, std::move(tools));
  }
  replace_activities(std::move(activities));

  std::vector<std::string> before = std::exchange(providers_, {});
  for (const auto& [source, tools] : offered) {
    for (const ToolDefinition& tool : tools) bridge_.registry().enable(tool.name, preferences.is_enabled(tool));
  }
  for (const std::string& provider : before) {
    const bool stays = std::ranges::find(loaded.sources, provider, &ToolSource::file) != loaded.sources.end();
    if (!stays) bridge_.registry().tools().remove_provider(provider);
  }
  for (auto& [source, tools] : offered) offer(*source, std::move(tools));
  runtimes_.offer();
  describe(loaded);
}

void ServedContent::replace_activities(ActivityRegistry::Snapshot activities) {
  std::vector<std::string> names, unconfined;
  for (const auto& [name, activity] : activities) {
    names.push_back(name);
    if (is_unconfined_program(activity.get())) unconfined.push_back(name);
  }
  if (!unconfined.empty() && unconfined != unconfined_) problem_(unconfined_text(unconfined));
  unconfined_ = std::move(unconfined);
  std::vector<std::string> gone;
  std::ranges::set_difference(activities_, names, std::back_inserter(gone));
  bridge_.activities().replace(gone, std::move(activities));
  activities_ = std::move(names);
}

/// Those of the file for all take the places of those beside the tools.
ServedContent::BoundNames ServedContent::bound_names(const LoadedSources& loaded, const ToolSource& source) {
  BoundNames bound;
  for (const Bindings* const bindings : {&loaded.bindings, &source.bindings}) {
    for (const auto& [name, binding] : bindings->by_name) bound.try_emplace(name, Bound{bindings, &binding});
  }
  return bound;
}

void ServedContent::bind(const BoundNames& bound, const ToolSource& source, std::vector<ToolDefinition>& tools,
                         const WantedConfinements& wanted, ActivityRegistry::Snapshot& activities) {
  const FirstUsers users = first_users(tools);
  for (const auto& [name, one] : bound) {
    const auto user = users.find(name);
    const ToolDefinition* const tool = user == users.end() ? nullptr : user->second;
    const bool of_source = one.bindings == &source.bindings;
    if (tool == nullptr && !of_source) continue;  // bound for the source that has the tool
    if (one.binding->kind == "latent") {
      for (ToolDefinition& latent : tools) {
        if (activity_name(latent) == name) latent.activity = "";
      }
      continue;
    }
    ever_bound_.insert(name);
    const WantedConfinement confined = wanted.of(name);
    if (!confined.problem.empty()) {  // what ran it until now may not have been confined
      problem_(in_quotes(name) + " fails: its \"confinement\" cannot be had: " + confined.problem);
      activities.insert_or_assign(name, make_failed_activity("its \"confinement\" cannot be had: " + confined.problem));
      continue;
    }
    Findings findings(one.bindings->file);
    ActivityPointer activity = activity_of(name, one, tool, confined.confinement, findings);
    const auto problems = findings.take_problems_of_file();
    for (const ManifestProblem& problem : problems) problem_(problem.message());
    if (!problems.empty()) {
      activity =
          kept_or_failing(name, "its binding is wrong: " + problems.front().pointer + ": " + problems.front().text);
    } else if (const std::string text = confinement_text(name, activity.get()); !text.empty()) {
      problem_(text);
    }
    activities.insert_or_assign(name, std::move(activity));
  }
}

/// A model may invent the results of a tool that never had an implementation, and of no other.
void ServedContent::fail_what_was_bound(const BoundNames& bound, const LoadedSources& loaded, const ToolSource& source,
                                        const std::vector<ToolDefinition>& tools,
                                        ActivityRegistry::Snapshot& activities) const {
  for (const ToolDefinition& tool : tools) {
    const std::string name = activity_name(tool);
    if (name.empty() || activities.contains(name) || bound.contains(name)) continue;
    if (!ever_bound_.contains(name) && !loaded.bindings.removed.contains(name) &&
        !source.bindings.removed.contains(name))
      continue;
    activities.emplace(name, make_failed_activity(R"(its binding was removed; bind it again, or say {"latent": {}})"));
  }
}

/// What ran it until now, if anything did.
ActivityPointer ServedContent::kept_or_failing(const std::string& name, std::string why) const {
  if (std::ranges::binary_search(activities_, name)) {
    auto before = bridge_.activities().find(name);
    if (before && before->kind() != failed_kind) return before;
  }
  return make_failed_activity(std::move(why));
}

ActivityPointer ServedContent::activity_of(const std::string& name, const Bound& bound, const ToolDefinition* tool,
                                           const Confinement* wanted, Findings& findings) {
  if (bound.binding->kind == "mcp") return mcp_activity(name, bound, findings);
  if (bound.binding->kind == "runtime") return runtime_activity(name, bound, findings);
  return make_bound_activity(name, *bound.binding, bound.bindings->directory, tool, services_, findings, wanted);
}

/// {"mcp": {"server": NAME, "tool": NAME}}: the tool is called as here, if not stated.
ActivityPointer ServedContent::mcp_activity(const std::string& name, const Bound& bound, Findings& findings) {
  const JsonObject& settings = bound.binding->settings.get_object();
  const std::string server = text_or(settings, "server");
  const auto stated = bound.bindings->servers.find(server);
  if (stated == bound.bindings->servers.end()) {
    findings.problem(below(bound.binding->pointer, "server"), "expected the name of one of \"servers\"");
    return nullptr;
  }
  auto known = servers_.find(server);
  if (known == servers_.end() || known->second.settings != stated->second) {
    auto options = read_back_end(server, stated->second, below(bound.bindings->base + "/servers", server),
                                 bound.bindings->directory, findings);
    if (!options) return nullptr;
    options->log = problem_;
    options->http = services_.http;
    options->engine = services_.engine;
    options->tracing = options_.tracing;
    give_login(*options, services_);
    kept_.prepare(*options);
    options->start_at_once = false;
    options->shared = options_.is_shared;
    problem_("server " + in_quotes(server) + " " + start_text_of(*options));
    known = servers_.insert_or_assign(server, Server{stated->second, mcp::make_back_end(std::move(*options))}).first;
  }
  const std::string tool = text_or(settings, "tool");
  return std::make_shared<mcp::McpActivity>(known->second.back_end, tool.empty() ? name : tool);
}

/// {"runtime": {"runtime": NAME, "tool": NAME}}, likewise.
ActivityPointer ServedContent::runtime_activity(const std::string& name, const Bound& bound, Findings& findings) const {
  const JsonObject& settings = bound.binding->settings.get_object();
  auto pool = runtimes_.find(text_or(settings, "runtime"));
  if (!pool) {
    findings.problem(below(bound.binding->pointer, "runtime"), "expected the name of one of \"runtimes\" that can run");
    return nullptr;
  }
  const std::string tool = text_or(settings, "tool");
  return runtimes::make_runtime_activity(std::move(pool), tool.empty() ? name : tool);
}

/// The default for a manifest that says where its scenario is reached.
void ServedContent::add_scenario_activities(const ToolSource& source, const std::vector<ToolDefinition>& tools,
                                            ActivityRegistry::Snapshot& activities) {
  for (const Manifest& manifest : source.tools.manifests) {
    if (manifest.scenario.base_url.empty()) continue;
    for (const ToolDefinition& tool : tools) {
      if (tool.activity || activities.contains(tool.name)) continue;
      try {
        activities.emplace(
            tool.name, make_scenario_activity(manifest.scenario.base_url, HttpOrigin::operators, tool, services_.http));
      } catch (const std::invalid_argument& error) {
        problem_(source.file + ": " + error.what());
        activities.emplace(tool.name, kept_or_failing(tool.name, error.what()));
      }
    }
  }
}

/// All at once; if that is refused, those that can be registered one by one.
void ServedContent::offer(const ToolSource& source, std::vector<ToolDefinition> tools) {
  ToolRegistry& registry = bridge_.registry().tools();
  try {
    registry.provider(source.file, tools, source.tools.categories);
  } catch (const std::invalid_argument& error) {
    problem_(source.file + ": " + error.what());
    ToolRegistry trial;
    std::erase_if(tools, [&](const ToolDefinition& tool) {
      const ToolPointer taken = registry.find(tool.name);
      if (taken && taken->provider != source.file) return true;
      try {
        trial.tool(tool);
        return false;
      } catch (const std::invalid_argument&) {
        return true;
      }
    });
    try {
      registry.provider(source.file, std::move(tools), {});
    } catch (const std::invalid_argument& again) {
      return problem_(source.file + ": not offered: " + again.what());
    }
  }
  providers_.push_back(source.file);
}

void ServedContent::describe(const LoadedSources& loaded) {
  const Manifest* const only = only_manifest(loaded);
  if (only == nullptr) return bridge_.describe_list({});
  Manifest whole = *only;
  whole.tools = loaded.sources.front().tools.tools;
  bridge_.describe_list(
      list_meta(whole, [this](const ToolDefinition& tool) { return bridge_.registry().is_enabled(tool); }));
}

ServerInfo identity_of(const LoadedSources& loaded) {
  const Manifest* const only = only_manifest(loaded);
  if (only == nullptr) return {.name = "toolwire-bridge", .version = program_version()};
  return {.name = only->scenario.name.empty() ? "toolwire-bridge" : only->scenario.name,
          .version = only->scenario.version.empty() ? program_version() : only->scenario.version,
          .description = only->scenario.description};
}

}  // namespace toolwire::bridge
