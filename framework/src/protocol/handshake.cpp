// The handshake of the legacy revisions (2025-11-25 basic/lifecycle): initialize, notifications/initialized; and ping.
#include "json/writer.hpp"
#include "protocol/capabilities.hpp"
#include "protocol/handlers.hpp"

namespace toolwire::protocol {
namespace {

[[noreturn]] void refuse(const char* what) {
  throw ProtocolError(error_code::invalid_params, std::string("Invalid params: initialize needs ") + what);
}

const JsonObject& object_member(const JsonObject& params, const char* member, const char* expected) {
  const Json* value = params.if_contains(member);
  if (value == nullptr || !value->is_object()) refuse(expected);
  return value->get_object();
}

/// The revision asked for if it has a handshake, else the newest that has (the client then decides whether to
/// continue).
const Revision& offer(std::string_view requested) {
  const Revision* revision = find_revision(requested);
  return revision != nullptr && !revision->modern ? *revision : newest_legacy();
}

}  // namespace

void initialize(Exchange&& exchange) {
  if (exchange.in_batch)
    throw ProtocolError(error_code::invalid_request, "Invalid Request: initialize must not be in a batch");
  const JsonObject& params = exchange.arguments();
  const Json* version = params.if_contains("protocolVersion");
  if (version == nullptr || !version->is_string()) refuse("\"protocolVersion\", a string");
  const JsonObject& info = object_member(params, "clientInfo", "\"clientInfo\", an object");
  const JsonObject& capabilities = object_member(params, "capabilities", "\"capabilities\", an object");
  const Revision& revision = offer(std::string_view(version->get_string()));

  Connection& connection = *exchange.connection;
  connection.negotiated = &revision;
  connection.client = std::make_shared<const Client>(
      Client{.legacy = std::make_shared<const LegacyClient>(LegacyClient{capabilities, info, faults_of(info)})});
  connection.log_level.store(Connection::log_nothing, std::memory_order_relaxed);
  connection.notified_revision.store(nullptr, std::memory_order_release);  // until the client says `initialized` again
  connection.declared.set(connection.service.offered());
  connection.watches.clear();
  exchange.revision = &revision;
  exchange.complete([&](std::string& out) {
    out.append("\"protocolVersion\":\"")
        .append(revision.name)
        .append("\",\"capabilities\":")
        .append(server_capabilities(revision, connection.declared.get()));
    out.append(",\"serverInfo\":").append(connection.service.implementation_text(revision));
    append_instructions(out, connection.service);
  });
}

void initialized(Connection& connection, const JsonObject&) {
  connection.notified_revision.store(connection.negotiated, std::memory_order_release);
}

void ping(Exchange&& exchange) {
  exchange.complete([](std::string&) {});
}

}  // namespace toolwire::protocol
