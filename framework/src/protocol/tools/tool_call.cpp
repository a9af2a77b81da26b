#include "protocol/tools/tool_call.hpp"

#include <exception>
#include <optional>
#include <utility>

#include <toolwire/json_members.hpp>

#include "features/truncate_result.hpp"
#include "log/log.hpp"
#include "protocol/asker.hpp"
#include "protocol/scopes.hpp"
#include "protocol/tasks/call_as_task.hpp"
#include "protocol/tools/lower.hpp"
#include "protocol/tools/result_of_thrown.hpp"
#include "protocol/tools/structured_root.hpp"
#include "protocol/traced.hpp"
#include "toolwire/detail/what_of.hpp"
#include "toolwire/result_checks.hpp"
#include "toolwire/schema.hpp"
#include "types/echo.hpp"

namespace toolwire::protocol {
namespace {

[[noreturn]] void refuse(const std::string& why) {
  throw ProtocolError(error_code::invalid_params, "Invalid params: " + why);
}

/// What the program adds to the error of a call of a tool that is not there. Empty if it cannot tell.
std::string why_missing(const Exchange& exchange, std::string_view name) {
  const auto& ask_program = exchange.connection->service.options.why_missing;
  if (!ask_program) return {};
  try {
    return ask_program(name);
  } catch (...) {
    process::log(LogLevel::error, "why the tool \"" + types::echo(name) +
                                      "\" is missing cannot be told: " + detail::what_of(std::current_exception()));
    return {};
  }
}

[[noreturn]] void refuse_unknown(const Exchange& exchange, std::string_view name) {
  std::string text = "Unknown tool \"" + types::echo(name) + "\"; tools/list names those there are";
  if (const std::string why = why_missing(exchange, name); !why.empty()) text += "; " + why;
  refuse(text);
}

std::shared_ptr<const features::ServedTool> find_tool(const Exchange& exchange) {
  const Json* name = exchange.arguments().if_contains("name");
  if (name == nullptr || !name->is_string()) refuse("\"name\" must be a string, the name of a tool");
  auto tool = exchange.connection->service.tools.find(std::string_view(name->get_string()));
  if (!tool) refuse_unknown(exchange, name->get_string());
  return tool;
}

const Json& arguments_in(const Exchange& exchange) {
  static const Json none = JsonObject{};
  const Json* arguments = exchange.arguments().if_contains("arguments");
  if (arguments == nullptr || arguments->is_null()) return none;
  if (!arguments->is_object()) refuse("\"arguments\" must be an object");
  return *arguments;
}

/// What may have been done may be done again, unless it makes a difference: see unknown_outcome.
void allow_repetition(const ToolInfo& tool, ToolResult& result) {
  if (tool.read_only != true && tool.idempotent != true) return;
  Json* const error = result.meta.if_contains("dev.toolwire/error");
  if (error == nullptr || !error->is_object() || text_or(*error, "outcome") != "unknown") return;
  error->get_object().stable_erase("outcome");
  error->get_object()["retryable"] = true;
}

void send(Request& request, const ToolResult& result) {
  const Exchange& exchange = request.exchange();
  request.end([&] {
    exchange.call->answer([&](std::string& out) { append_complete_tool_result(out, exchange, result); },
                          end_with(result));
  });
}

/// Clients hold structured content to the output schema even if it tells of an error, and where it does not fit nobody
/// sees the error. That of a C++ type is compiled for middleware alone (null), and an error is of another type.
void keep_from_schema(const Schema* schema, ToolResult& result) {
  if (schema != nullptr && schema->is_valid(*result.structured)) return;
  result.add_detail("error", std::move(*result.structured));
  result.structured.reset();
}

/// What a result is held to. A C++ type has made sure of its own, but not of what a middleware has made of it.
const Schema* schema_for_results(const features::ServedTool& tool, const Service& service) {
  if (tool.output) return &*tool.output;
  return tool.typed_output && service.has_middlewares() ? tool.typed_output->get(tool.tool.info) : nullptr;
}

}  // namespace

std::shared_ptr<const features::ServedTool> tool_named_in(const Exchange& exchange) {
  const Json* name = exchange.arguments().if_contains("name");
  if (name == nullptr || !name->is_string()) return nullptr;
  return exchange.connection->service.tools.find(std::string_view(name->get_string()));
}

RequestTerms ToolCall::prepare(const Exchange& exchange) {
  if (!served_) served_ = find_tool(exchange);
  if (!is_visible(*served_, exchange)) refuse_unknown(exchange, name());
  // The tool has come since the call was read, when it would have become a task.
  if (exchange.task == nullptr && becomes_task(exchange, info())) refuse_unknown(exchange, name());
  arguments_ = &arguments_in(exchange);
  if (served_->has_scopes()) require_scopes(info(), *arguments_, exchange);
  return {.timeout = info().timeout,
          .rate_per_minute = info().rate_per_minute,
          .calls_per_minute = exchange.connection->service.options.calls_per_minute,
          .single_use_answers = info().single_use_answers,
          .answers_within = info().answers_within};
}

AnyRequest ToolCall::described(const Exchange&) const {
  return {RequestKind::tool, "tools/call", name(), *arguments_, &info()};
}

void ToolCall::answer(Request& request, ToolResult&& result) const {
  const Exchange& exchange = request.exchange();
  const Service& service = exchange.connection->service;
  const Schema* const schema = schema_for_results(*served_, service);
  if (schema != nullptr) check_output(*schema, name(), result);
  if (result.is_error) {
    allow_repetition(info(), result);
    if (result.structured && info().output_schema.is_object()) keep_from_schema(schema, result);
  }
  if (result.structured && wraps_structured(*exchange.revision, info().output_schema))
    result.structured = wrapped(std::move(*result.structured));
  const auto& budget = info().output_budget ? info().output_budget : service.options.output_budget;
  auto too_long = budget ? features::truncation_of(result, *budget) : std::nullopt;
  if (!too_long) return send(request, result);
  features::truncate_result(std::move(result), std::move(*too_long), service.kept_outputs, exchange.caller(),
                            [self = request.shared_from_this()](ToolResult&& cut) { send(*self, cut); });
}

void ToolCall::fail(Request& request, const std::exception_ptr& thrown) const {
  try {
    std::rethrow_exception(thrown);
  } catch (const ProtocolError&) {
    throw;
  } catch (...) {
    answer(request, result_of_thrown(request.exchange().connection->service, thrown, name()));
  }
}

void ToolCall::fail_with_code(Request& request, std::string_view code, std::string text, bool retryable,
                              std::optional<std::int64_t> retry_after_ms) const {
  send(request, failure(code, std::move(text), retryable, retry_after_ms));
}

void ToolCall::fail_late(Request& request, std::string text) const {
  ToolResult result = unknown_outcome("timeout", std::move(text));
  allow_repetition(info(), result);
  send(request, result);
}

}  // namespace toolwire::protocol
