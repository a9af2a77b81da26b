// The tools of several scenarios as one list.
#include <set>
#include <string>
#include <utility>

#include "http/scenarios.hpp"
#include "manifest/tool_name.hpp"

namespace toolwire::bridge {
namespace {

void mark_stale(ToolDefinition& tool) {
  if (!tool.native.is_object()) tool.native = to_json(tool);
  Json& meta = tool.native.get_object()["_meta"];
  if (!meta.is_object()) meta = JsonObject{};
  meta.get_object()["dev.toolwire/stale"] = true;
}

ScenarioTool offered(const ToolDefinition& definition, const ScenarioView& view) {
  const Scenario& scenario = view.manifest->scenario;
  ScenarioTool tool{definition, definition.name,       scenario.name,
                    view.url,   HttpOrigin::operators, view.state == ScenarioView::State::stale};
  if (tool.stale) mark_stale(tool.tool);
  if (!scenario.base_url.empty() && http_origin_of(scenario.base_url) != http_origin_of(view.url)) {
    tool.base_url = scenario.base_url;
    tool.origin = HttpOrigin::other;
  }
  return tool;
}

}  // namespace

std::vector<ScenarioTool> tools_of(const std::vector<ScenarioView>& views, const std::vector<std::string>& taken,
                                   ScenarioPrefix prefix) {
  std::vector<ScenarioTool> tools;
  NameMapping names;
  for (const std::string& name : taken) names.take(name);
  for (const ScenarioView& view : views) {
    if (view.manifest == nullptr) continue;
    for (const ToolDefinition& definition : view.manifest->tools) {
      ScenarioTool tool = offered(definition, view);
      const bool has_own_name = prefix == ScenarioPrefix::on_conflict && names.take(tool.tool.name);
      if (!has_own_name) tool.tool.name = names.map(tool.scenario + '_' + tool.remote_name);
      tools.push_back(std::move(tool));
    }
  }
  return tools;
}

std::vector<ToolCategory> categories_of(const std::vector<ScenarioView>& views) {
  std::vector<ToolCategory> categories;
  std::set<std::string, std::less<>> known;
  for (const ScenarioView& view : views) {
    if (view.manifest == nullptr) continue;
    for (const ToolCategory& category : view.manifest->categories) {
      if (known.insert(category.id).second) categories.push_back(category);
    }
  }
  return categories;
}

}  // namespace toolwire::bridge
