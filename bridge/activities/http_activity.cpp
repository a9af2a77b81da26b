#include "activities/http_activity.hpp"

#include <algorithm>
#include <array>
#include <functional>
#include <string_view>
#include <utility>

#include "templates/parameter_names.hpp"

namespace toolwire::bridge {
namespace {

using Clock = std::chrono::steady_clock;
using Secrets = std::vector<std::string>;
using Understand = std::function<ToolResult(const HttpResponse&, const std::string& origin, const Secrets&)>;

/// RFC 9110 §9.2.2: to ask twice is to ask once.
bool is_idempotent(std::string_view method) {
  constexpr std::array<std::string_view, 6> methods{"GET", "HEAD", "OPTIONS", "TRACE", "PUT", "DELETE"};
  return std::ranges::find(methods, method) != methods.end();
}

ToolResult result_of(const HttpFailure& failed, bool is_repeatable) {
  if (failed.is_unknown() && !is_repeatable) return unknown_outcome(failed.code, failed.text);
  return failure(failed.code, failed.text, failed.retryable() || failed.is_unknown());
}

/// Sends the request and answers the call with what `understand` makes of the answer.
void send(HttpClient& client, HttpRequest request, const HttpLimits& limits, ActivityContext& context, Reply reply,
          Secrets secrets, Understand understand) {
  request.response_limit = limits.response_limit;
  request.deadline = Clock::now() + limits.timeout;
  if (context.deadline()) request.deadline = std::min(*request.deadline, *context.deadline());
  const bool is_repeatable = is_idempotent(request.method);
  const std::string origin = http_origin_of(request.url).value_or("the server");
  const auto answer = std::make_shared<Reply>(std::move(reply));  // std::function needs a copyable target
  client.start(std::move(request), context.stop_token(),
               [answer, origin, is_repeatable, secrets = std::move(secrets),
                understand = std::move(understand)](HttpOutcome&& outcome) {
                 if (const auto* failure = std::get_if<HttpFailure>(&outcome))
                   return (*answer)(result_of(*failure, is_repeatable));
                 (*answer)(understand(std::get<HttpResponse>(outcome), origin, secrets));
               });
}

bool has_header(const HttpHeaders& headers, std::string_view wanted) {
  return std::any_of(headers.begin(), headers.end(), [&](const auto& header) {
    return std::equal(header.first.begin(), header.first.end(), wanted.begin(), wanted.end(),
                      [](char a, char b) { return (a | 0x20) == (b | 0x20); });
  });
}

void add_header(HttpHeaders& headers, const std::string& name, const std::string& value) {
  if (!has_header(headers, name)) headers.emplace_back(name, value);
}

/// What goes on elsewhere belongs to the same trace. Baggage is of those who call, and only for services that the
/// operator has named.
void add_trace_headers(HttpRequest& request, const TraceContext& trace) {
  JsonObject checked;
  add_trace(checked, trace);
  if (request.origin != HttpOrigin::operators) checked.erase("baggage");
  for (const auto& [name, value] : checked)
    add_header(request.headers, std::string(name), std::string(value.get_string()));
}

class HttpActivity : public Activity {
 public:
  HttpActivity(HttpSettings settings, JsonObject defaults, HttpOutput output, std::shared_ptr<HttpClient> client)
      : settings_(std::move(settings)), defaults_(std::move(defaults)), output_(output), client_(std::move(client)) {}

  void start(const Call& call, ActivityContext& context, Reply reply) override {
    Secrets secrets;
    HttpRequest request = request_for(with_defaults(call.parameters, defaults_), secrets);
    add_trace_headers(request, context.trace());
    send(*client_, std::move(request), settings_.limits, context, std::move(reply), std::move(secrets),
         [output = output_](const HttpResponse& response, const std::string& origin, const Secrets& hidden) {
           return http_result(response, output, origin, hidden);
         });
  }
  std::string_view kind() const override { return "http"; }

 private:
  HttpRequest request_for(const Json& parameters, Secrets& secrets) const {
    HttpRequest request;
    request.origin = HttpOrigin::operators;  // no value can change the origin of the template
    request.method = settings_.method;
    request.url = settings_.url.expand(parameters);
    const std::string query = settings_.query.expand(parameters);
    if (!query.empty()) request.url += (request.url.find('?') == std::string::npos ? '?' : '&') + query;
    request.headers = headers_for(settings_.limits.headers, parameters, secrets);
    add_body(request, parameters);
    return request;
  }

  void add_body(HttpRequest& request, const Json& parameters) const {
    if (settings_.form) {
      request.body = settings_.form->expand(parameters);
      add_header(request.headers, "Content-Type", "application/x-www-form-urlencoded");
    } else if (settings_.body || settings_.arguments_as_body) {
      request.body = to_json_text(settings_.body ? settings_.body->expand(parameters) : parameters);
      add_header(request.headers, "Content-Type", "application/json");
    }
  }

  const HttpSettings settings_;
  const JsonObject defaults_;
  const HttpOutput output_;
  const std::shared_ptr<HttpClient> client_;
};

class EndpointActivity : public Activity {
 public:
  EndpointActivity(ScenarioEndpoint endpoint, bool has_output_schema, std::shared_ptr<HttpClient> client)
      : endpoint_(std::move(endpoint)), has_output_schema_(has_output_schema), client_(std::move(client)) {
    while (endpoint_.base_url.ends_with('/')) endpoint_.base_url.pop_back();
  }

  void start(const Call& call, ActivityContext& context, Reply reply) override {
    Secrets secrets;
    HttpRequest request;
    request.method = "POST";
    request.url = endpoint_.base_url + "/api/v1/tools/execute";
    request.origin = endpoint_.origin;
    request.headers = headers_for(endpoint_.limits.headers, call.parameters, secrets);
    add_header(request.headers, "Content-Type", "application/json");
    add_header(request.headers, "Accept", "application/json");
    add_trace_headers(request, context.trace());
    request.body = to_json_text(JsonObject{{"tool_name", endpoint_.tool}, {"arguments", call.parameters}});
    send(*client_, std::move(request), endpoint_.limits, context, std::move(reply), std::move(secrets),
         [structured = has_output_schema_](const HttpResponse& response, const std::string& origin,
                                           const Secrets& hidden) {
           return execution_result(response, structured, origin, hidden);
         });
  }
  std::string_view kind() const override { return "http"; }

 private:
  ScenarioEndpoint endpoint_;
  const bool has_output_schema_;
  const std::shared_ptr<HttpClient> client_;
};

}  // namespace

ActivityPointer make_http_activity(HttpSettings settings, JsonObject defaults, bool has_output_schema,
                                   std::shared_ptr<HttpClient> client) {
  const bool is_decided = settings.output != HttpOutput::automatic || !has_output_schema;
  const HttpOutput output = is_decided ? settings.output : HttpOutput::json;
  return std::make_shared<HttpActivity>(std::move(settings), std::move(defaults), output, std::move(client));
}

ActivityPointer make_endpoint_activity(ScenarioEndpoint endpoint, bool has_output_schema,
                                       std::shared_ptr<HttpClient> client) {
  return std::make_shared<EndpointActivity>(std::move(endpoint), has_output_schema, std::move(client));
}

}  // namespace toolwire::bridge
