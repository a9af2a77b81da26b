#include "client/server_requests.hpp"

#include <exception>
#include <utility>
#include <vector>

#include <toolwire/json_members.hpp>

namespace toolwire::client {
namespace {

Elicitation elicitation_from(const Json& params) {
  if (!params.is_object()) throw ProtocolError(error_code::invalid_params, "params: expected an object");
  const JsonObject& members = params.get_object();
  const Json* schema = members.if_contains("requestedSchema");
  return {.message = text_or(members, "message", ""),
          .mode = text_or(members, "mode", "form"),
          .schema = schema == nullptr ? Json{} : *schema,
          .params = params};
}

Json result_from(ElicitationReply reply) {
  switch (reply.action) {
    case ElicitationReply::Action::decline:
      return {{"action", "decline"}};
    case ElicitationReply::Action::cancel:
      return {{"action", "cancel"}};
    case ElicitationReply::Action::accept:
      break;
  }
  JsonObject result{{"action", "accept"}};
  if (!reply.content.is_null()) result["content"] = std::move(reply.content);
  return result;
}

Json result_from(const std::vector<Root>& roots) {
  JsonArray list;
  for (const Root& root : roots) {
    JsonObject& item = list.emplace_back(JsonObject{{"uri", root.uri}}).get_object();
    if (!root.name.empty()) item["name"] = root.name;
  }
  return JsonObject{{"roots", std::move(list)}};
}

}  // namespace

Json answer_server(const ClientOptions& options, const std::string& method, const Json& params) {
  if (method == "ping") return JsonObject{};
  try {
    if (method == "elicitation/create" && options.on_elicitation)
      return result_from(options.on_elicitation(elicitation_from(params)));
    if (method == "sampling/createMessage" && options.on_sampling) return options.on_sampling(params);
    if (method == "roots/list" && options.on_roots) return result_from(options.on_roots());
    if (options.on_request) return options.on_request(method, params);
  } catch (const ProtocolError&) {
    throw;
  } catch (const std::exception& error) {
    throw ProtocolError(error_code::internal_error, error.what());
  }
  throw ProtocolError(error_code::method_not_found, "the client does not know the method \"" + method + "\"");
}

JsonObject answer_all(const ClientOptions& options, const Json& input_requests) {
  if (!input_requests.is_object()) throw ProtocolError(error_code::invalid_params, "inputRequests: expected an object");
  JsonObject answers;
  for (const auto& [key, request] : input_requests.get_object()) {
    const JsonObject* members = request.if_object();
    if (members == nullptr || text_or(*members, "method", "").empty())
      throw ProtocolError(error_code::invalid_params, "inputRequests." + std::string{key} + ": expected a request");
    const Json* params = members->if_contains("params");
    answers[key] = answer_server(options, text_or(*members, "method", ""), params == nullptr ? JsonObject{} : *params);
  }
  return answers;
}

}  // namespace toolwire::client
