#include "registry/outcome_code.hpp"

namespace toolwire::bridge {
namespace {

const JsonObject* failure_in(const AnyOutcome& outcome) {
  const auto* const result = std::get_if<ToolResult>(&outcome);
  const Json* const error = result == nullptr ? nullptr : result->meta.if_contains("dev.toolwire/error");
  return error == nullptr ? nullptr : error->if_object();
}

}  // namespace

std::string code_of(const AnyOutcome& outcome) {
  const auto* const result = std::get_if<ToolResult>(&outcome);
  if (result == nullptr) return std::holds_alternative<Questions>(outcome) ? "asked" : "protocol_error";
  if (!result->is_error) return "ok";
  const JsonObject* const error = failure_in(outcome);
  const Json* const code = error == nullptr ? nullptr : error->if_contains("code");
  return code != nullptr && code->is_string() ? std::string(code->get_string()) : "error";
}

std::string code_of(const AnyOutcome& outcome, const Context& context) {
  const auto* const questions = std::get_if<Questions>(&outcome);
  return questions != nullptr && !context.can_ask(*questions) ? "cannot_ask" : code_of(outcome);
}

std::optional<std::chrono::milliseconds> retry_after(const AnyOutcome& outcome) {
  const JsonObject* const error = failure_in(outcome);
  const Json* const time = error == nullptr ? nullptr : error->if_contains("retryAfterMs");
  if (time == nullptr || !time->is_int64() || time->get_int64() < 0) return std::nullopt;
  return std::chrono::milliseconds(time->get_int64());
}

}  // namespace toolwire::bridge
