#include "commands/served_scenarios.hpp"

#include <algorithm>
#include <iterator>
#include <stdexcept>
#include <utility>

#include <toolwire/system/log_line.hpp>

#include "activities/factory.hpp"

namespace toolwire::bridge {
namespace {

constexpr const char* provider_name = "scenarios";
constexpr std::chrono::milliseconds answer_timeout{2'000};

std::vector<std::string> names_of_others(const ToolRegistry& tools) {
  std::vector<std::string> names;
  for (const auto listed = tools.list(); const ToolPointer& tool : *listed) {
    if (tool->provider != provider_name) names.push_back(tool->definition.name);
  }
  return names;
}

}  // namespace

ServedScenarios::ServedScenarios(Bridge& bridge, const ActivityServices& services, const std::vector<std::string>& urls,
                                 Surroundings surroundings)
    : bridge_(bridge), http_(services.http), surroundings_(std::move(surroundings)) {
  if (urls.empty()) return;
  std::vector<ScenarioSettings> settings;
  for (const std::string& url : urls) {
    if (!http_origin_of(url))
      throw std::invalid_argument("--scenario \"" + url + "\": expected an http or https URL without user name");
    settings.push_back({.base_url = url, .deadline = answer_timeout});
  }
  scenarios_.emplace(
      std::move(settings),
      [client = http_](HttpRequest request, std::stop_token stop, HttpClient::Callback callback) {
        client->start(std::move(request), std::move(stop), std::move(callback));
      },
      services.engine);
}

ServedScenarios::~ServedScenarios() = default;

void ServedScenarios::start() {
  if (!scenarios_) return;
  scenarios_->start([this] { offer(); });
  scenarios_->wait_for_first();
}

void ServedScenarios::stop() { scenarios_.reset(); }

/// In a call of the scenarios.
void ServedScenarios::offer() {
  const std::vector<ScenarioView> views = scenarios_->views();
  for (const ScenarioView& view : views) {
    if (!view.problem.empty()) log_line("scenario " + view.url + ": " + view.problem);
  }
  ActivityRegistry::Snapshot activities;
  std::vector<ToolDefinition> tools;
  std::vector<std::string> taken = names_of_others(bridge_.registry().tools());
  std::ranges::move(surroundings_.names_elsewhere(), std::back_inserter(taken));
  for (ScenarioTool& one : tools_of(views, taken, surroundings_.prefix)) {
    one.tool.activity = one.scenario + "/" + one.remote_name;
    ToolDefinition remote = one.tool;
    remote.name = one.remote_name;
    remote.native = nullptr;
    try {
      activities.insert_or_assign(*one.tool.activity, make_scenario_activity(one.base_url, one.origin, remote, http_));
      bridge_.registry().enable(one.tool.name, surroundings_.is_enabled(one.tool));
      tools.push_back(std::move(one.tool));
    } catch (const std::invalid_argument& error) {
      log_line("scenario " + one.scenario + ": " + error.what());
    }
  }
  const Bridge::Pause pause = bridge_.pause();
  std::vector<std::string> names;
  for (const auto& [name, activity] : activities) names.push_back(name);
  std::vector<std::string> gone;
  std::ranges::set_difference(activities_, names, std::back_inserter(gone));
  bridge_.activities().replace(gone, std::move(activities));
  activities_ = std::move(names);
  try {
    bridge_.registry().tools().provider(provider_name, std::move(tools), categories_of(views), SchemaCare::note);
  } catch (const std::invalid_argument& error) {
    log_line(std::string("scenarios: ") + error.what());
  }
}

}  // namespace toolwire::bridge
