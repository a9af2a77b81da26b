// Passive checks of JSON-RPC: every message of every session.
#include "passive/tables.hpp"

namespace toolwire::conformance {
namespace {

constexpr std::size_t max_error_message = 300;

/// Calls `look` for each message of a kind, single or within a batch.
template <class Look>
void each(const Session& session, Message::Kind kind, Look look) {
  for (const Message& message : session.messages()) {
    if (message.kind == kind) look(message);
    if (message.kind != Message::Kind::batch) continue;
    for (const Json& member : message.json.get_array()) {
      const Message inner = read_message(to_json_text(member), true);
      if (inner.kind == kind) look(inner);
    }
  }
}

void jsonrpc_version(const Session& session, Watch& watch) {
  for (const Message& message : session.messages()) {
    if (!message.json.is_object()) continue;
    ++watch.looked_at;
    if (text_of(message.member("jsonrpc")) != "2.0")
      watch.violation("\"jsonrpc\":\"2.0\" in every message", start_of(message));
  }
}

void error_shape(const Session& session, Watch& watch) {
  each(session, Message::Kind::response, [&](const Message& message) {
    const JsonObject* object = message.json.if_object();
    if (!object->contains("error")) return;
    ++watch.looked_at;
    const Json& code = get(message.json, "error", "code");
    if (!code.is_int64() && !code.is_uint64()) watch.violation("an error whose code is an integer", start_of(message));
    if (!get(message.json, "error", "message").is_string())
      watch.violation("an error whose message is a string", start_of(message));
  });
}

void result_xor_error(const Session& session, Watch& watch) {
  each(session, Message::Kind::response, [&](const Message& message) {
    ++watch.looked_at;
    const JsonObject& object = message.json.get_object();
    if (object.contains("result") && object.contains("error"))
      watch.violation("either result or error", start_of(message));
  });
}

void result_is_object(const Session& session, Watch& watch) {
  each(session, Message::Kind::response, [&](const Message& message) {
    const Json* result = message.json.get_object().if_contains("result");
    if (result == nullptr) return;
    ++watch.looked_at;
    if (!result->is_object()) watch.violation("a result that is an object", start_of(message));
  });
}

/// What has an id is a request to us, so a notification with one is found by its method's name.
void notification_has_no_id(const Session& session, Watch& watch) {
  for (const Message& message : session.messages()) {
    if (!message.method().starts_with("notifications/")) continue;
    ++watch.looked_at;
    if (message.id()) watch.violation("a notification without id", start_of(message));
  }
}

void one_response_per_request(const Session& session, Watch& watch) {
  std::multiset<std::string> open = session.sent_ids();
  each(session, Message::Kind::response, [&](const Message& message) {
    const auto id = message.id();
    if (!id || id->is_null()) return;
    ++watch.looked_at;
    auto sent = open.find(to_json_text(*id));
    if (sent != open.end()) {
      open.erase(sent);
    } else if (!session.sent_raw()) {
      watch.violation("one response to each request, and none to ids that were never sent", start_of(message));
    }
  });
}

/// What the server declared in the session, wherever: where a client speaks too early, notifications may overtake the
/// answer to `initialize`. Nothing: it was not asked, as modern sessions need not, or did not answer.
std::optional<Json> declared_capabilities(const Session& session) {
  for (const Message& message : session.messages()) {
    const Json& capabilities = get(message.json, "result", "capabilities");
    if (capabilities.is_object()) return capabilities;
  }
  return std::nullopt;
}

/// A change is announced only where it was declared: in `initialize`, or by a subscription.
void tools_list_changed_not_undeclared(const Session& session, Watch& watch) {
  const auto capabilities = declared_capabilities(session);
  bool declared = !capabilities || get(*capabilities, "tools", "listChanged") == Json(true);
  for (const Message& message : session.messages()) {
    declared |= message.method() == "notifications/subscriptions/acknowledged";
    if (message.kind == Message::Kind::response) ++watch.looked_at;
    if (message.method() == "notifications/tools/list_changed" && !declared && !session.sent_raw())
      watch.violation("no list_changed where listChanged is not declared", start_of(message));
  }
}

void log_capability_declared(const Session& session, Watch& watch) {
  const auto capabilities = declared_capabilities(session);
  for (const Message& message : session.messages()) {
    if (message.method() != "notifications/message") continue;
    ++watch.looked_at;
    if (capabilities && !get(*capabilities, "logging").is_object())
      watch.violation("the capability \"logging\" of a server that logs", start_of(message));
  }
}

bool is_concise(std::string_view text) {
  return text.size() <= max_error_message && text.find('\n') == std::string_view::npos &&
         text.find("Traceback") == std::string_view::npos && text.find("    at ") == std::string_view::npos;
}

void error_message_concise(const Session& session, Watch& watch) {
  each(session, Message::Kind::response, [&](const Message& message) {
    if (!message.is_error()) return;
    ++watch.looked_at;
    if (!is_concise(text_of(get(message.json, "error", "message"))))
      watch.violation("an error message of one line and at most 300 characters, without a stack", start_of(message));
  });
}

void server_request_id_valid(const Session& session, Watch& watch) {
  each(session, Message::Kind::request, [&](const Message& message) {
    ++watch.looked_at;
    const Json id = *message.id();
    if (!id.is_string() && !id.is_int64() && !id.is_uint64())
      watch.violation("a request whose id is a string or an integer", start_of(message));
  });
}

void server_request_id_unique(const Session& session, Watch& watch) {
  std::set<std::string> seen;
  each(session, Message::Kind::request, [&](const Message& message) {
    ++watch.looked_at;
    if (!seen.insert(to_json_text(*message.id())).second)
      watch.violation("an id of its own for each request of the server", start_of(message));
  });
}

}  // namespace

std::span<const PassiveCheck> message_passive_checks() {
  static constexpr PassiveCheck checks[] = {
      {"rpc-jsonrpc-version", jsonrpc_version},
      {"rpc-error-shape", error_shape},
      {"rpc-result-xor-error", result_xor_error},
      {"rpc-result-is-object", result_is_object},
      {"rpc-notification-has-no-id", notification_has_no_id},
      {"rpc-one-response-per-request", one_response_per_request},
      {"rpc-error-message-concise", error_message_concise},
      {"log-capability-declared", log_capability_declared},
      {"tools-list-changed-not-undeclared", tools_list_changed_not_undeclared},
      {"rpc-server-request-id-valid", server_request_id_valid},
      {"rpc-server-request-id-unique", server_request_id_unique},
  };
  return checks;
}

}  // namespace toolwire::conformance
