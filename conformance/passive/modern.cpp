// Passive checks of the modern era: every result, error code and notification of every session.
#include "passive/tables.hpp"

namespace toolwire::conformance {
namespace {

template <class Look>
void each_result(const Session& session, Watch& watch, Look look) {
  for (const Message& message : session.messages()) {
    if (message.kind != Message::Kind::response || message.is_error()) continue;
    if (answers_what_is_gone(session, message)) continue;
    ++watch.looked_at;
    look(message, message.member("result"));
  }
}

void result_type_present(const Session& session, Watch& watch) {
  each_result(session, watch, [&](const Message& message, const Json& result) {
    if (!get(result, "resultType").is_string())
      watch.violation("a string resultType in every result", start_of(message));
  });
}

/// Extensions may add values; the one we know of is "task".
void result_type_known(const Session& session, Watch& watch) {
  each_result(session, watch, [&](const Message& message, const Json& result) {
    const std::string_view type = text_of(get(result, "resultType"));
    if (type != "complete" && type != "input_required" && type != "task" && !type.empty())
      watch.violation("complete or input_required", start_of(message));
  });
}

const Json& server_info(const Json& result) { return get(result, "_meta", "io.modelcontextprotocol/serverInfo"); }

void serverinfo_meta(const Session& session, Watch& watch) {
  each_result(session, watch, [&](const Message& message, const Json& result) {
    if (server_info(result).is_null()) watch.violation("serverInfo in the _meta of every result", start_of(message));
  });
}

void serverinfo_valid(const Session& session, Watch& watch) {
  each_result(session, watch, [&](const Message& message, const Json& result) {
    const Json& info = server_info(result);
    if (!info.is_null() && (!get(info, "name").is_string() || !get(info, "version").is_string()))
      watch.violation("serverInfo with the strings name and version", start_of(message));
  });
}

template <class Fits>
void each_code(const Session& session, Watch& watch, const char* expected, Fits fits) {
  for (const Message& message : session.messages()) {
    if (!message.is_error()) continue;
    ++watch.looked_at;
    if (!fits(message.error_code())) watch.violation(expected, start_of(message));
  }
}

/// Those that the revision defines for the transport; HeaderMismatch, -32020, is one of HTTP.
bool is_defined(const Session& session, std::int64_t code) {
  return code == -32021 || code == -32022 || (code == -32020 && !session.has_process());
}

void reserved_codes(const Session& session, Watch& watch) {
  each_code(session, watch, "of -32020 to -32099 only -32021 and -32022, and -32020 over HTTP",
            [&](std::int64_t code) { return code > -32020 || code < -32099 || is_defined(session, code); });
}

void legacy_codes(const Session& session, Watch& watch) {
  each_code(session, watch, "no code from -32000 to -32019",
            [](std::int64_t code) { return code > -32000 || code < -32019; });
}

/// Those of JSON-RPC and MCP are defined; an application's own lie outside of the block JSON-RPC keeps.
void application_codes(const Session& session, Watch& watch) {
  each_code(session, watch, "codes of the application outside of -32768 to -32000", [&](std::int64_t code) {
    const bool defined = code == -32700 || (code <= -32600 && code >= -32603) || is_defined(session, code);
    return defined || code < -32768 || code > -32000;
  });
}

void no_legacy_shapes(const Session& session, Watch& watch) {
  bool subscribed = false;
  for (const Message& message : session.messages()) {
    ++watch.looked_at;
    const std::string method = message.method();
    subscribed |= method == "notifications/subscriptions/acknowledged";
    if (message.kind == Message::Kind::request) watch.violation("no request of the server's own", start_of(message));
    if (method == "notifications/elicitation/complete")
      watch.violation("no notification of earlier revisions", start_of(message));
    if (method.ends_with("/list_changed") && !subscribed)
      watch.violation("no list_changed without a subscription", start_of(message));
  }
}

/// A server ends a subscription in this way, and nothing else (2026-07-28 basic/patterns/cancellation).
void cancelled_only_for_listen(const Session& session, Watch& watch) {
  for (const Message& message : session.messages()) {
    if (message.kind == Message::Kind::response) ++watch.looked_at;
    if (message.method() != "notifications/cancelled") continue;
    const Json& target = get(message.json, "params", "requestId");
    bool listened = false;
    for (const Message& other : session.messages()) {
      listened |= get(other.json, "params", "_meta", "io.modelcontextprotocol/subscriptionId") == target;
    }
    if (!listened) watch.violation("cancelled for a subscription only", start_of(message));
  }
}

}  // namespace

std::span<const PassiveCheck> modern_passive_checks() {
  static constexpr PassiveCheck checks[] = {
      {"result-type-present", result_type_present},
      {"result-type-known", result_type_known},
      {"result-serverinfo-meta", serverinfo_meta},
      {"result-serverinfo-valid", serverinfo_valid},
      {"errcode-reserved-range", reserved_codes},
      {"errcode-legacy-range", legacy_codes},
      {"errcode-app-codes-outside-reserved", application_codes},
      {"era-no-legacy-shapes-in-modern", no_legacy_shapes},
      {"cancel-server-only-for-listen", cancelled_only_for_listen},
  };
  return checks;
}

}  // namespace toolwire::conformance
