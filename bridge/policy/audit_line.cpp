#include "policy/audit_line.hpp"

#include <algorithm>
#include <array>
#include <chrono>
#include <ctime>
#include <functional>
#include <iterator>
#include <utility>

#include <toolwire/json_members.hpp>

#include <fmt/format.h>

#include "policy/secrets.hpp"

namespace toolwire::bridge {
namespace {

constexpr std::size_t max_text = 500;  // of an error or a reasoning, in bytes

std::string time_now() {
  const auto now = std::chrono::system_clock::now();
  const auto ms = std::chrono::duration_cast<std::chrono::milliseconds>(now.time_since_epoch()).count() % 1000;
  const std::time_t seconds = std::chrono::system_clock::to_time_t(now);
  std::tm utc{};
  ::gmtime_r(&seconds, &utc);
  std::array<char, 32> text{};
  const std::size_t size = std::strftime(text.data(), text.size(), "%Y-%m-%dT%H:%M:%S", &utc);
  return fmt::format("{}.{:03}Z", std::string_view(text.data(), size), ms);
}

/// Bytes of a character that was cut in two are left to the writer, which replaces them.
std::string cut(std::string_view text) {
  return text.size() <= max_text ? std::string(text) : fmt::format("{}…", text.substr(0, max_text));
}

std::string name_of_client(const JsonObject& info) {
  if (info.empty()) return {};
  return cut(text_member(info, "name")) + "/" + cut(text_member(info, "version"));
}

bool asks_for_approval(const AnyOutcome& outcome) {
  const auto* const questions = std::get_if<Questions>(&outcome);
  if (questions == nullptr) return false;
  for (const Question& question : questions->list) {
    if (question.key == Approval::key) return true;
  }
  return false;
}

std::string_view decision(const AuditEntry& call, const CallEnd& end) {
  const bool was_to_be_asked = end.outcome != nullptr && asks_for_approval(*end.outcome);
  if (was_to_be_asked && end.code == "cannot_ask") return "refused";
  if (!call.decision.empty()) return call.decision;
  constexpr std::array<std::string_view, 6> refusals{"rate_limited",      "approval_required", "disabled",
                                                     "invalid_arguments", "bad_schema",        "busy"};
  if (was_to_be_asked) return "asked";
  if (end.code == "denied") return "declined";
  for (const std::string_view refusal : refusals) {
    if (end.code == refusal) return "refused";
  }
  return call.approval_answered ? "approved" : "run";
}

std::string error_text(const AuditEntry& call, const CallEnd& end) {
  const auto* const result = end.outcome == nullptr ? nullptr : std::get_if<ToolResult>(end.outcome);
  if (result == nullptr || !result->is_error || call.sensitive) return {};
  for (const Content& content : result->content) {
    if (const auto text = text_in(content)) return cut(without(std::string(*text), call.secrets));
  }
  return {};
}

void append_member(std::string& line, std::string_view name, std::string_view text) {
  if (!text.empty()) line.append(",\"").append(name).append("\":").append(to_json_text(Json(text)));
}

}  // namespace

AuditEntry audit_entry(std::string tool, const Json& arguments, std::string_view reasoning, const Json& input_schema,
                       const Context& context, std::vector<std::string> secrets) {
  AuditEntry entry{.tool = std::move(tool), .client = name_of_client(context.client_info())};
  entry.arguments = without_secrets(arguments, input_schema);
  entry.secrets = secrets_in(arguments, input_schema);
  std::ranges::move(secrets, std::back_inserter(entry.secrets));
  std::ranges::sort(entry.secrets, std::greater<>{}, &std::string::size);
  entry.reasoning = cut(without(std::string(reasoning), entry.secrets));
  entry.approval_answered = context.answers().contains(Approval::key);
  return entry;
}

std::string audit_line(const AuditEntry& call, const CallEnd& end, std::size_t max_size) {
  std::string head = fmt::format("{{\"time\":\"{}\"", time_now());
  append_member(head, "client", call.client);
  append_member(head, "tool", call.tool);
  std::string tail;
  append_member(tail, "reasoning", call.reasoning);
  append_member(tail, "decision", decision(call, end));
  const std::chrono::duration<double, std::milli> time = end.duration;
  tail.append(fmt::format(",\"duration_ms\":{:.3f}", time.count()));
  append_member(tail, "outcome", end.code);
  append_member(tail, "error", error_text(call, end));
  const bool fits = head.size() + call.arguments.size() + tail.size() + 16 <= max_size;
  return head + ",\"arguments\":" + (fits ? call.arguments : fmt::format("\"({} bytes)\"", call.arguments.size())) +
         tail + "}";
}

}  // namespace toolwire::bridge
