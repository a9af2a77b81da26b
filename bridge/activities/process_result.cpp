// The result of a call from what its process has written.
#include "activities/process_activity.hpp"
#include "process/passed_values.hpp"
#include "process/shown_text.hpp"

#include <toolwire/text.hpp>

namespace toolwire::bridge {
namespace {

constexpr std::size_t max_quote = 2000;  // of what a program says about its failure

/// The end of a text, from the beginning of a line where there is one.
std::string tail(const std::string& text) {
  if (text.size() <= max_quote) return text;
  const std::size_t from = text.size() - max_quote;
  const std::size_t line = text.find('\n', from);
  return "…" + text.substr(line == std::string::npos || line + 1 == text.size() ? from : line + 1);
}

std::string said(const ProcessEnd& end, const std::vector<std::string>& secrets) {
  // Cleaned of secrets before it is cut: half a secret would not be recognised.
  const std::string& text = end.errors.empty() ? end.output : end.errors;
  std::string quote = text::stripped(tail(without_secrets(text, secrets)), text::lines);
  while (!quote.empty() && quote.back() == '\n') quote.pop_back();
  return quote.empty() ? "" : "\n" + quote;
}

ToolResult not_understood(const std::string& program, const std::string& expected, const std::string& why) {
  return failure("invalid_output", program + ": expected " + expected + " on standard output: " + why, false);
}

ToolResult result_from_json(const std::string& output, ProcessOutput kind, const std::string& program) {
  try {
    Json json = parse_json(output, {.max_values = usual_json_values});
    if (kind == ProcessOutput::json) return ToolResult::of(std::move(json));
    if (!json.is_object()) return not_understood(program, "a tool result (an object)", "it is none");
    return tool_result_from(std::move(json), {.what = program});
  } catch (const JsonError& error) {
    return not_understood(program, kind == ProcessOutput::json ? "JSON" : "a tool result", error.what());
  }
}

}  // namespace

ToolResult process_result(const ProcessEnd& end, const ProcessSettings& settings, ProcessOutput output,
                          const std::string& program, const std::vector<std::string>& secrets) {
  if (!end.code.empty()) {
    const bool is_retryable = end.code == "unavailable" || end.code == "busy";
    return failure(end.code, program + ": " + end.text + said(end, secrets), is_retryable);
  }
  if (end.status.signal != 0 || !settings.success_codes.contains(end.status.code))
    return failure("back_end_error", program + " " + end.status.text() + said(end, secrets), false);
  if (output != ProcessOutput::text) return result_from_json(end.output, output, program);
  return ToolResult::text(shown(end.output));
}

}  // namespace toolwire::bridge
