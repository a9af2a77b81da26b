// From what a bindings file says to Activities. Knows the kinds "process", "http" and "constant"; "mcp" and "latent"
// are made by the owners of back-ends and tools.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include <toolwire/bridge/activity.hpp>
#include <toolwire/bridge/definition.hpp>
#include <toolwire/bridge/manifest.hpp>

#include <toolwire/http/detail/http_client.hpp>
#include "activities/bindings.hpp"
#include "login/worker.hpp"
#include "manifest/findings.hpp"
#include "process/runner.hpp"

namespace toolwire::bridge {

/// What Activities run on; shared by all of them. Both may be null where no Activity of the kind is made.
struct ActivityServices {
  std::shared_ptr<HttpClient> http = {};
  std::shared_ptr<ProcessRunner> processes = {};
  std::shared_ptr<Engine> engine = {};         // whose threads these work on, and further pools may
  std::shared_ptr<login::Worker> logins = {};  // what waits for new tokens
};

/// Whether this is a kind that `make_bound_activity` makes.
bool is_bound_kind(std::string_view kind);

/// The Activity of a binding, or null with the problems in `findings`, where pointers lead into the bindings file.
/// `tool` is one that uses it, or null: with it, placeholders are checked against its parameters, defaults of its
/// schema stand in for absent parameters, and its `_output` decides how output is interpreted. A program is also
/// refused what `wanted` refuses, unless that is null.
ActivityPointer make_bound_activity(const std::string& name, const Binding& binding, const std::string& directory,
                                    const ToolDefinition* tool, const ActivityServices& services, Findings& findings,
                                    const Confinement* wanted = nullptr);

/// All of a file's bindings of the kinds above, with every problem. `tools` are those that may use them.
struct BoundActivities {
  std::vector<std::pair<std::string, ActivityPointer>> activities = {};  ///< In the order of their names.
  std::vector<ManifestProblem> problems = {};
};
BoundActivities make_bound_activities(const Bindings& bindings, const std::vector<ToolDefinition>& tools,
                                      const ActivityServices& services);

/// The Activity of a tool whose scenario has a `base_url` and that has no binding: `POST
/// {base_url}/api/v1/tools/execute`. Throws std::invalid_argument if `base_url` is no http or https URL.
ActivityPointer make_scenario_activity(const std::string& base_url, HttpOrigin origin, const ToolDefinition& tool,
                                       std::shared_ptr<HttpClient> client, const HttpHeaders& headers = {});

}  // namespace toolwire::bridge
