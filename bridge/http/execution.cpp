#include "http/execution.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <utility>

#include "http/content_json.hpp"
#include "manifest/members.hpp"

namespace toolwire::bridge::http {
namespace {

struct CodeStatus {
  std::string_view code;
  int status;
};

/// The HTTP status of a call that was refused or not finished.
int status_of(std::string_view code) {
  static constexpr std::array<CodeStatus, 12> statuses{{{"unknown_tool", 404},
                                                        {"invalid_arguments", 400},
                                                        {"cannot_ask", 403},
                                                        {"rate_limited", 429},
                                                        {"denied", 403},
                                                        {"approval_required", 403},
                                                        {"disabled", 403},
                                                        {"timeout", 504},
                                                        {"unavailable", 502},
                                                        {"activity_missing", 503},
                                                        {"busy", 503},
                                                        {"cancelled", 503}}};
  const auto* const found = std::ranges::find(statuses, code, &CodeStatus::code);
  return found == statuses.end() ? 200 : found->status;
}

Answer bad_body(std::string_view text) { return failed_execution(400, "invalid_request", text); }

std::string text_of(const ToolResult& result) {
  std::string text;
  for (const Content& content : result.content) {
    if (const auto part = text_in(content)) text.append(text.empty() ? "" : "\n").append(*part);
  }
  return text;
}

/// Structured content, else the text, else the list of content blocks.
Json value_of(const ToolResult& result) {
  if (result.structured) return *result.structured;
  const auto is_text = [](const Content& content) { return text_in(content).has_value(); };
  if (std::ranges::all_of(result.content, is_text)) return Json(text_of(result));
  JsonArray blocks;
  for (const Content& content : result.content) blocks.push_back(content_json(content));
  return blocks;
}

const JsonObject* error_of(const ToolResult& result) {
  const Json* error = result.meta.if_contains("dev.toolwire/error");
  return error == nullptr ? nullptr : error->if_object();
}

std::string code_of(const ToolResult& result) {
  const JsonObject* error = error_of(result);
  const Json* code = error == nullptr ? nullptr : error->if_contains("code");
  return code != nullptr && code->is_string() ? std::string(code->get_string()) : "tool_error";
}

void add_retry_after(Answer& answer, const ToolResult& result) {
  const JsonObject* error = error_of(result);
  const Json* wait = error == nullptr ? nullptr : error->if_contains("retryAfterMs");
  if (wait == nullptr || !wait->is_int64()) return;
  const std::int64_t seconds = (std::clamp<std::int64_t>(wait->get_int64(), 0, 86'400'000) + 999) / 1000;
  answer.headers.emplace_back("Retry-After", std::to_string(seconds));
}

}  // namespace

std::variant<Execution, Answer> read_execution(std::string_view body) {
  Execution execution;
  Json document;
  try {
    document = parse_json(body, {.max_values = usual_json_values});
  } catch (const JsonError& error) {
    return bad_body(fmt::format("the body is not JSON: {}", error.what()));
  }
  if (!document.is_object()) return bad_body("the body: expected an object {tool_name, arguments}");
  Findings findings("");
  Members members(document.get_object(), "", findings);
  execution.tool = members.text("tool_name");
  if (const JsonObject* arguments = members.object("arguments")) execution.arguments = *arguments;
  if (!findings.has_problems()) return execution;
  std::string text;
  for (const ManifestProblem& problem : findings.take_problems({})) {
    text += (text.empty() ? "" : "\n") + problem.message();
  }
  return bad_body(text);
}

Answer failed_execution(int status, std::string_view code, std::string_view error) {
  return {
      status, {}, to_json_text(JsonObject{{"success", false}, {"error", error}, {"code", code}, {"is_async", false}})};
}

ExecutionEnd end_of(const ToolResult& result) {
  if (!result.is_error) return {};
  std::string code = code_of(result);
  const int status = status_of(code);
  return {status, std::move(code)};
}

Answer answer_execution(const ToolResult& result) {
  if (!result.is_error) {
    return {200, {}, to_json_text(JsonObject{{"success", true}, {"result", value_of(result)}, {"is_async", false}})};
  }
  const ExecutionEnd end = end_of(result);
  const std::string text = text_of(result);
  Answer answer = failed_execution(end.status, end.code, text.empty() ? end.code : text);
  add_retry_after(answer, result);
  return answer;
}

}  // namespace toolwire::bridge::http
