// The tools of scenarios that are reached over HTTP, put into a bridge and kept in step with what the scenarios say.
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include <toolwire/bridge/bridge.hpp>

#include "activities/factory.hpp"
#include "http/scenarios.hpp"

namespace toolwire::bridge {

/// The bridge must outlive it.
class ServedScenarios {
 public:
  struct Surroundings {
    std::function<bool(ToolDefinition&)> is_enabled;            // whether the user wants a tool, and changes it
    std::function<std::vector<std::string>()> names_elsewhere;  // of tools that are served past the registry
    ScenarioPrefix prefix = ScenarioPrefix::on_conflict;
  };
  /// What surrounds it is asked in calls of the scenarios. Throws std::invalid_argument for anything that is not
  /// a URL.
  ServedScenarios(Bridge& bridge, const ActivityServices& services, const std::vector<std::string>& urls,
                  Surroundings surroundings);
  ~ServedScenarios();
  ServedScenarios(const ServedScenarios&) = delete;
  ServedScenarios& operator=(const ServedScenarios&) = delete;

  /// Asks all of them and waits for the first answers, two seconds at most: one that is down causes no longer delay.
  void start();
  void stop();
  /// What is known of each, in the order given. Any thread, until `stop`.
  std::vector<ScenarioView> views() const { return scenarios_ ? scenarios_->views() : std::vector<ScenarioView>(); }

 private:
  void offer();

  Bridge& bridge_;
  const std::shared_ptr<HttpClient> http_;
  const Surroundings surroundings_;
  std::vector<std::string> activities_;
  std::optional<Scenarios> scenarios_;
};

}  // namespace toolwire::bridge
