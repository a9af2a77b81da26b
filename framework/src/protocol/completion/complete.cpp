// completion/complete (specification: server/utilities/completion), for everything that has arguments.
#include <algorithm>
#include <exception>

#include "json/writer.hpp"
#include "log/log.hpp"
#include "protocol/completion/completable.hpp"
#include "protocol/handlers.hpp"
#include "protocol/on_engine.hpp"

namespace toolwire::protocol {
namespace {

constexpr std::size_t max_values = 100;  // 2026-07-28 schema, CompleteResult

[[noreturn]] void refuse(const std::string& why) {
  throw ProtocolError(error_code::invalid_params, "Invalid params: " + why);
}

const JsonObject& object_in(const JsonObject& params, const char* member) {
  const Json* value = params.if_contains(member);
  if (value == nullptr || !value->is_object()) refuse("\"" + std::string(member) + "\" must be an object");
  return value->get_object();
}

std::string text_in(const JsonObject& object, const char* member, const char* path) {
  const Json* value = object.if_contains(member);
  if (value == nullptr || !value->is_string()) refuse(std::string(path) + " must be a string");
  return std::string(std::string_view(value->get_string()));
}

/// Revisions before 2025-06-18 have no context; what a client sends of it is looked at all the same.
CompletionContext context_in(const JsonObject& params) {
  CompletionContext context;
  const Json* member = params.if_contains("context");
  if (member == nullptr) return context;
  if (!member->is_object()) refuse("\"context\" must be an object");
  const Json* arguments = member->get_object().if_contains("arguments");
  if (arguments == nullptr) return context;
  if (!arguments->is_object()) refuse("context.arguments must be an object of strings");
  for (const auto& [name, value] : arguments->get_object()) {
    if (!value.is_string()) refuse("context.arguments must be an object of strings");
    context.emplace(name, std::string_view(value.get_string()));
  }
  return context;
}

Completion suggested(const Completer& completer, const std::string& argument, const std::string& value,
                     const CompletionContext& context) {
  if (!completer) return {};
  try {
    return completer(value, context);
  } catch (const ProtocolError&) {
    throw;
  } catch (const std::exception& error) {
    process::log(LogLevel::error, "completing \"" + argument + "\" failed: " + error.what());
  } catch (...) {
    process::log(LogLevel::error, "completing \"" + argument + "\" failed");
  }
  throw ProtocolError(error_code::internal_error, "Internal error: no suggestions could be made");
}

void append_completion(std::string& out, const Completion& completion) {
  const std::size_t count = std::min(completion.values.size(), max_values);
  const std::size_t total = std::max(completion.total.value_or(0), completion.values.size());
  out.append("\"completion\":");
  json::Writer writer(out);
  writer.begin_object();
  writer.key("values").begin_array();
  for (std::size_t i = 0; i < count; ++i) writer.string(completion.values[i]);
  writer.end_array();
  // Without a total the client cannot know how many more there are, only that there are some.
  if (completion.total || !completion.has_more) writer.key("total").integer(std::uint64_t{total});
  writer.key("hasMore").boolean(completion.has_more || total > count);
  writer.end_object();
}

void answer_with_suggestions(Exchange&& exchange) {
  const JsonObject& params = exchange.arguments();
  const JsonObject& reference = object_in(params, "ref");
  const JsonObject& argument = object_in(params, "argument");
  const std::string name = text_in(argument, "name", "argument.name");
  const std::string value = text_in(argument, "value", "argument.value");
  const CompletionContext context = context_in(params);
  const Completer completer = completer_of(exchange, reference, name);
  const Completion completion = suggested(completer, name, value, context);
  exchange.complete([&](std::string& out) { append_completion(out, completion); });
  exchange.connection->channel->flush_from_outside();
}

}  // namespace

void complete(Exchange&& exchange) {
  if (!run_on_engine(exchange, answer_with_suggestions)) throw_busy();
}

}  // namespace toolwire::protocol
