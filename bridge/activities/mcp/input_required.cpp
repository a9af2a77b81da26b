#include "activities/mcp/input_required.hpp"

#include "activities/mcp/results.hpp"

namespace toolwire::bridge::mcp {

std::optional<InputRequired> input_required_from(const JsonObject& result) {
  static const JsonObject none;
  const Json* requests = result.if_contains("inputRequests");
  const JsonObject& asked = requests != nullptr && requests->is_object() ? requests->get_object() : none;
  InputRequired required;
  if (const Json* state = result.if_contains("requestState")) required.next["requestState"] = *state;
  for (const auto& [key, request] : asked) {
    const JsonObject* question = request.if_object();
    const Json* method = question == nullptr ? nullptr : question->if_contains("method");
    if (method == nullptr || !method->is_string() || !may_ask(method->get_string())) return std::nullopt;
    const Json* params = question->if_contains("params");
    required.keys.emplace_back(key);
    required.questions.list.push_back({std::string(key), std::string(std::string_view(method->get_string())),
                                       params != nullptr && params->is_object() ? *params : Json(JsonObject{}),
                                       std::string(key)});
  }
  return required;
}

JsonObject responses_from(const JsonObject& answers, const std::string& prefix, const std::vector<std::string>& keys) {
  JsonObject responses;
  for (const std::string& key : keys) {
    if (const Json* answer = answers.if_contains(prefix + key)) responses[key] = *answer;
  }
  return responses;
}

bool is_answer(std::string_view method, const Json& answer) {
  if (!answer.is_object()) return false;
  return method == "elicitation/create" || !answer.get_object().contains("action");
}

}  // namespace toolwire::bridge::mcp
