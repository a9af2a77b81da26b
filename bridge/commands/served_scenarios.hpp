// The tools of scenarios that are reached over HTTP, put into a bridge and kept in step with what the scenarios say.
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include <toolwire/bridge/bridge.hpp>

#include "http/scenarios.hpp"

namespace toolwire::bridge {

/// The bridge must outlive it.
class ServedScenarios {
 public:
  /// `is_enabled`: whether the user wants a tool; asked from the thread of the scenarios. Throws std::invalid_argument
  /// for what is no URL.
  ServedScenarios(Bridge& bridge, std::shared_ptr<HttpClient> http, const std::vector<std::string>& urls,
                  std::function<bool(const ToolDefinition&)> is_enabled);
  ~ServedScenarios();
  ServedScenarios(const ServedScenarios&) = delete;
  ServedScenarios& operator=(const ServedScenarios&) = delete;

  /// Asks all of them and waits for the first answers, two seconds at most: one that is down delays nobody longer.
  void start();
  void stop();

 private:
  void offer();

  Bridge& bridge_;
  const std::shared_ptr<HttpClient> http_;
  const std::function<bool(const ToolDefinition&)> is_enabled_;
  std::vector<std::string> activities_;
  std::optional<Scenarios> scenarios_;
};

}  // namespace toolwire::bridge
