#include "activities/factory.hpp"

#include <algorithm>
#include <stdexcept>
#include <utility>

#include "activities/constant_activity.hpp"
#include "activities/http_activity.hpp"
#include "activities/process_activity.hpp"
#include "templates/parameter_names.hpp"

namespace toolwire::bridge {
namespace {

/// One binding on its way to an Activity.
struct Making {
  const std::string& name;
  const Binding& binding;
  const std::string& directory;
  const ToolDefinition* tool = nullptr;
  const ActivityServices& services;
  Findings& findings;
  const Confinement* wanted = nullptr;

  const JsonObject& settings() const { return binding.settings.get_object(); }
  JsonObject defaults() const { return tool == nullptr ? JsonObject{} : defaults_of(*tool); }
  bool has_output_schema() const { return tool != nullptr && !tool->output.is_null(); }
  void check(const std::vector<std::string>& names) const {
    if (tool != nullptr) check_names(names, *tool, binding.pointer, findings);
  }
};

ActivityPointer make_process(const Making& making) {
  ProcessSettings settings =
      read_process_settings(making.settings(), making.binding.pointer, making.directory, making.findings);
  making.check(settings.names());
  if (making.wanted != nullptr) {
    if (std::string wrong = confine_further(settings, *making.wanted); !wrong.empty())
      making.findings.problem(below(making.binding.pointer, "confinement"), std::move(wrong));
  }
  return make_process_activity(std::move(settings), making.defaults(), making.has_output_schema(),
                               making.services.processes);
}

/// Refuses members that belong to the other form of the kind.
void refuse_members(const Making& making, std::initializer_list<std::string_view> names, const char* with) {
  for (const std::string_view name : names) {
    if (making.settings().contains(name))
      making.findings.problem(below(making.binding.pointer, name),
                              std::string("cannot be used together with \"") + with + "\"");
  }
}

ActivityPointer make_endpoint(const Making& making) {
  refuse_members(making, {"url", "method", "query", "body", "form", "output"}, "base_url");
  ScenarioEndpoint endpoint;
  endpoint.base_url = making.settings().at("base_url").get_string();
  endpoint.tool = making.tool != nullptr ? original_name(*making.tool) : making.name;
  if (const Json* name = making.settings().if_contains("tool")) endpoint.tool = name->get_string();
  endpoint.origin = HttpOrigin::operators;
  endpoint.limits = read_http_limits(making.settings(), making.binding.pointer, making.findings);
  if (!http_origin_of(endpoint.base_url))
    making.findings.problem(below(making.binding.pointer, "base_url"),
                            "expected an http or https URL without user name and password");
  return make_endpoint_activity(std::move(endpoint), making.has_output_schema(), making.services.http);
}

ActivityPointer make_http(const Making& making) {
  if (making.settings().contains("base_url")) return make_endpoint(making);
  if (!making.settings().contains("url")) {
    making.findings.problem(making.binding.pointer, "expected \"url\" (a template) or \"base_url\" (a scenario)");
    return nullptr;
  }
  refuse_members(making, {"tool"}, "url");
  HttpSettings settings = read_http_settings(making.settings(), making.binding.pointer, making.findings);
  making.check(settings.names());
  return make_http_activity(std::move(settings), making.defaults(), making.has_output_schema(), making.services.http);
}

const ToolDefinition* user_of(const std::string& name, const std::vector<ToolDefinition>& tools) {
  const auto found = std::find_if(tools.begin(), tools.end(), [&](const ToolDefinition& tool) {
    return tool.activity ? *tool.activity == name : tool.name == name;
  });
  return found == tools.end() ? nullptr : &*found;
}

}  // namespace

bool is_bound_kind(std::string_view kind) { return kind == "process" || kind == "http" || kind == "constant"; }

ActivityPointer make_bound_activity(const std::string& name, const Binding& binding, const std::string& directory,
                                    const ToolDefinition* tool, const ActivityServices& services, Findings& findings,
                                    const Confinement* wanted) {
  const Making making{name, binding, directory, tool, services, findings, wanted};
  if (binding.kind == "process") return make_process(making);
  if (binding.kind == "http") return make_http(making);
  if (binding.kind == "constant")
    return make_constant_activity(making.settings(), making.defaults(), binding.pointer, findings);
  findings.problem(binding.pointer, "expected one of the kinds \"process\", \"http\", \"constant\"");
  return nullptr;
}

BoundActivities make_bound_activities(const Bindings& bindings, const std::vector<ToolDefinition>& tools,
                                      const ActivityServices& services) {
  BoundActivities made;
  Findings findings(bindings.file);
  for (const auto& [name, binding] : bindings.by_name) {
    if (!is_bound_kind(binding.kind)) continue;
    if (auto activity =
            make_bound_activity(name, binding, bindings.directory, user_of(name, tools), services, findings))
      made.activities.emplace_back(name, std::move(activity));
  }
  if (findings.has_problems()) made.activities.clear();
  made.problems = findings.take_problems_of_file();
  return made;
}

ActivityPointer make_scenario_activity(const std::string& base_url, HttpOrigin origin, const ToolDefinition& tool,
                                       std::shared_ptr<HttpClient> client, const HttpHeaders& headers) {
  if (!http_origin_of(base_url))
    throw std::invalid_argument("the base_url of a scenario: expected an http or https URL without user name");
  ScenarioEndpoint endpoint{.base_url = base_url, .tool = original_name(tool), .origin = origin};
  for (const auto& [name, value] : headers) endpoint.limits.headers.emplace_back(name, TemplateText::verbatim(value));
  return make_endpoint_activity(std::move(endpoint), !tool.output.is_null(), std::move(client));
}

}  // namespace toolwire::bridge
