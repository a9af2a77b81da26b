#include "protocol/traced.hpp"

#include <memory>
#include <utility>

#include <toolwire/json_members.hpp>

#include "protocol/revision.hpp"

namespace toolwire::protocol {
namespace {

std::string_view text_of(const Exchange& exchange, std::string_view member) {
  if (!exchange.params.is_object()) return {};
  const Json* const value = exchange.arguments().if_contains(member);
  return value != nullptr && value->is_string() ? std::string_view(value->get_string()) : std::string_view();
}

/// A name that there is none of may be anything.
std::string_view subject_of(const Exchange& exchange, std::string_view method) {
  const Service& service = exchange.connection->service;
  const std::string_view name = text_of(exchange, "name");
  if (method == "tools/call") return service.tools.find(name) ? name : std::string_view();
  if (method == "prompts/get") return service.prompts.find(name) ? name : std::string_view();
  return method.starts_with("resources/") ? text_of(exchange, "uri") : std::string_view();
}

std::string_view revision_of(const Exchange& exchange) {
  const Revision* revision = find_revision(text_member(exchange.meta(), meta_key::protocol_version));
  if (revision == nullptr) revision = exchange.connection->negotiated;
  return revision == nullptr ? std::string_view() : revision->name;
}

/// Many that share a channel (HTTP) have a connection for each request.
std::uint64_t session_of(const Exchange& exchange) {
  const Connection& connection = *exchange.connection;
  const bool has_session = connection.negotiated != nullptr && !connection.flush_shared;
  return has_session ? connection.session.id() : 0;
}

TraceContext parent_of(const Exchange& exchange) {
  TraceContext own = trace_in(exchange.meta());
  if (!own.traceparent.empty()) return own;
  TraceContext around = exchange.connection->trace;
  if (!own.baggage.empty()) around.baggage = std::move(own.baggage);
  return around;
}

std::string_view without_quotes(std::string_view id) {
  return id.size() >= 2 && id.front() == '"' ? id.substr(1, id.size() - 2) : id;
}

}  // namespace

void follow(Exchange& exchange, std::string_view method, Tracer& tracer) {
  auto span = tracer.begin({.method = method,
                            .subject = subject_of(exchange, method),
                            .id = without_quotes(exchange.call->id().text),
                            .revision = revision_of(exchange),
                            .connection = session_of(exchange),
                            .parent = parent_of(exchange)});
  if (!span) return;
  const TraceContext passed_on = span->context();
  exchange.call->follow_with(std::move(span));
  if (passed_on.is_empty() && exchange.meta_member == nullptr) return;
  JsonObject meta;  // in memory of its own: that of the request is bounded
  for (const auto& [key, value] : exchange.meta()) {
    if (key != "traceparent" && key != "tracestate" && key != "baggage") meta[key] = value;
  }
  add_trace(meta, passed_on);
  exchange.own_meta = std::make_shared<const Json>(std::move(meta));
  exchange.meta_member = exchange.own_meta.get();
}

RequestEnd end_with(const ToolResult& result) {
  if (!result.is_error) return {};
  const Json* const error = result.meta.if_contains("dev.toolwire/error");
  return {.how = RequestEnd::How::failed, .code = error == nullptr ? std::string_view() : text_member(*error, "code")};
}

}  // namespace toolwire::protocol
