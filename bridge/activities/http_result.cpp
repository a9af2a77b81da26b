// The results of calls from the answers of HTTP services.
#include <cstdint>
#include <optional>
#include <string_view>

#include <toolwire/text.hpp>

#include <toolwire/http/detail/header_text.hpp>
#include <toolwire/http/detail/retry_after.hpp>
#include "activities/http_activity.hpp"
#include "process/shown_text.hpp"

namespace toolwire::bridge {
namespace {

constexpr std::size_t max_quote = 1000;  // of what a server says about its failure

std::string quote(const std::string& text, const std::vector<std::string>& secrets) {
  // Cleaned of secrets before it is cut: half a secret would not be recognised.
  std::string clean = without_secrets(text, secrets);
  const bool is_cut = clean.size() > max_quote;
  clean = text::stripped(text::head(clean, max_quote), text::lines);
  return is_cut ? clean + "…" : clean;
}

std::optional<std::int64_t> retry_after_ms(const HttpResponse& response) {
  const auto wait = retry_after(response);
  return wait ? std::optional<std::int64_t>(wait->count() * 1000) : std::nullopt;
}

ToolResult status_failure(const HttpResponse& response, const std::string& origin, const std::string& said) {
  const std::string text =
      origin + " answered with status " + std::to_string(response.status) + (said.empty() ? "" : ": " + said);
  if (response.status == 429) return failure("rate_limited", text, true, retry_after_ms(response));
  if (response.status == 408 || response.status == 504) return failure("timeout", text, false);
  if (response.status == 401 || response.status == 403) return failure("denied", text, false);
  if (response.status == 413) return failure("too_large", text, false);
  if (response.status == 503) return failure("unavailable", text, false, retry_after_ms(response));
  return failure("back_end_error", text, false);
}

bool is_json_type(const HttpResponse& response) {
  const std::string_view stated = response.header("content-type").value_or("");
  const std::string type = header_text::lower(header_text::trimmed(stated.substr(0, stated.find(';'))));
  return type == "application/json" || type.ends_with("+json");
}

std::optional<Json> parsed(const std::string& text) {
  try {
    return parse_json(text, {.max_values = usual_json_values});
  } catch (const JsonError&) {
    return std::nullopt;
  }
}

std::string text_of(const Json& value) {
  return value.is_string() ? std::string(value.get_string()) : to_json_text(value);
}

/// Takes the numbers of the internal protocol of tool processes and the bridge's own codes, which scenarios may use
/// too.
std::string code_of(const JsonObject& answer) {
  const Json* code = answer.if_contains("code");
  if (code == nullptr) return "back_end_error";
  if (code->is_number()) {
    const auto number = code->to_number<double>();
    return number == -32001 ? "timeout" : number == -32002 ? "denied" : "back_end_error";
  }
  std::string text = text_of(*code);
  for (const std::string_view known : {"timeout", "rate_limited", "denied", "approval_required", "busy", "cancelled",
                                       "too_large", "disabled", "invalid_output"}) {
    if (text == known) return text;
  }
  return "back_end_error";
}

ToolResult execution_failure(const JsonObject& answer, const std::string& origin,
                             const std::vector<std::string>& secrets) {
  const Json* error = answer.if_contains("error");
  if (error == nullptr) error = answer.if_contains("message");
  std::string text = error == nullptr ? origin + " says that the call failed, without a reason" : text_of(*error);
  const Json* code = answer.if_contains("code");
  if (code != nullptr && !code->is_null()) text += " (" + text_of(*code) + ")";
  const std::string known = code_of(answer);
  const bool is_retryable = known == "rate_limited" || known == "busy";
  return failure(known, quote(text, secrets), is_retryable);
}

/// The id of an asynchronous call becomes the result if there is none, else a detail of it.
ToolResult execution_success(const JsonObject& answer, bool has_output_schema) {
  const Json* result = answer.if_contains("result");
  JsonObject run;
  for (const std::string_view name : {"is_async", "run_id", "status"}) {
    if (const Json* value = answer.if_contains(name)) run.emplace(name, *value);
  }
  const Json* is_async = answer.if_contains("is_async");
  const bool goes_on = is_async != nullptr && *is_async == true;
  const bool is_empty = result == nullptr || result->is_null();
  ToolResult made = is_empty && goes_on                         ? ToolResult::of(run)
                    : is_empty && !has_output_schema            ? ToolResult{}
                    : is_empty                                  ? ToolResult::of(Json())
                    : result->is_string() && !has_output_schema ? ToolResult::text(shown(text_of(*result)))
                                                                : ToolResult::of(*result);
  if (goes_on) made.meta["dev.toolwire/details"] = run;
  return made;
}

}  // namespace

ToolResult http_result(const HttpResponse& response, HttpOutput output, const std::string& origin,
                       const std::vector<std::string>& secrets) {
  if (!response.success()) return status_failure(response, origin, quote(response.body, secrets));
  // What has been done is not a failure for want of words: HEAD has none, nor have many answers to POST.
  if (output == HttpOutput::automatic)
    output = is_json_type(response) && !response.body.empty() ? HttpOutput::json : HttpOutput::text;
  if (output == HttpOutput::text || (response.body.empty() && response.status == 204))
    return ToolResult::text(shown(response.body));
  auto json = parsed(response.body);
  if (!json) return failure("invalid_output", origin + ": expected JSON as the answer's body", false);
  return ToolResult::of(std::move(*json));
}

ToolResult execution_result(const HttpResponse& response, bool has_output_schema, const std::string& origin,
                            const std::vector<std::string>& secrets) {
  const auto json = parsed(response.body);
  const JsonObject* answer = json ? json->if_object() : nullptr;
  const Json* success = answer == nullptr ? nullptr : answer->if_contains("success");
  if (success != nullptr && success->is_bool()) {
    if (success->get_bool() && response.success()) return execution_success(*answer, has_output_schema);
    return execution_failure(*answer, origin, secrets);
  }
  if (!response.success()) {
    const Json* message = answer == nullptr ? nullptr : answer->if_contains("message");
    if (message == nullptr && answer != nullptr) message = answer->if_contains("error");
    return status_failure(response, origin, quote(message == nullptr ? response.body : text_of(*message), secrets));
  }
  return failure("invalid_output", origin + ": expected {\"success\": true or false, …} as the answer's body", false);
}

}  // namespace toolwire::bridge
