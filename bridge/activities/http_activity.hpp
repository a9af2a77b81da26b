// Requests to an HTTP service as Activities: from templates, or the execution endpoint of a scenario (Tool Discovery
// Protocol). Knows no files and no manifests.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include <toolwire/bridge/activity.hpp>

#include <toolwire/http/detail/http_client.hpp>
#include "activities/http_settings.hpp"

namespace toolwire::bridge {

/// `defaults` stand for absent parameters; `has_output_schema` decides about `HttpOutput::automatic`.
ActivityPointer make_http_activity(HttpSettings settings, JsonObject defaults, bool has_output_schema,
                                   std::shared_ptr<HttpClient> client);

/// How a scenario's execution endpoint is called. A plain value.
struct ScenarioEndpoint {
  std::string base_url = {};  ///< The requests go to "{base_url}/api/v1/tools/execute".
  std::string tool = {};      ///< What the scenario calls the tool.
  HttpOrigin origin = HttpOrigin::other;
  HttpLimits limits = {};
};
ActivityPointer make_endpoint_activity(ScenarioEndpoint endpoint, bool has_output_schema,
                                       std::shared_ptr<HttpClient> client);

/// The result of an answer to a templated request. Decides only; `origin` names the server in errors.
ToolResult http_result(const HttpResponse& response, HttpOutput output, const std::string& origin,
                       const std::vector<std::string>& secrets);

/// The result of an answer of an execution endpoint: `{success, result?, error?, code?, is_async, run_id?, status?}`.
/// Text results of tools without an output schema stay text.
ToolResult execution_result(const HttpResponse& response, bool has_output_schema, const std::string& origin,
                            const std::vector<std::string>& secrets);

}  // namespace toolwire::bridge
