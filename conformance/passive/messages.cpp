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

constexpr std::string_view notifications_of_servers[] = {"notifications/cancelled",
                                                         "notifications/elicitation/complete",
                                                         "notifications/message",
                                                         "notifications/progress",
                                                         "notifications/prompts/list_changed",
                                                         "notifications/resources/list_changed",
                                                         "notifications/resources/updated",
                                                         "notifications/subscriptions/acknowledged",
                                                         "notifications/tasks",
                                                         "notifications/tasks/status",
                                                         "notifications/tools/list_changed"};

/// Its letters, small.
std::string letters_of(std::string_view name) {
  std::string letters;
  for (char c : name) {
    if (std::isalpha(static_cast<unsigned char>(c)) != 0)
      letters += static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
  }
  return letters;
}

/// Whether one letter more makes the longer of the two of the other.
bool differ_by_a_letter(const std::string& some, const std::string& others) {
  const std::string& longer = some.size() > others.size() ? some : others;
  const std::string& shorter = some.size() > others.size() ? others : some;
  if (longer.size() != shorter.size() + 1) return false;
  const auto [more, rest] = std::ranges::mismatch(longer, shorter);
  return std::equal(std::next(more), longer.end(), rest, shorter.end());
}

/// What a name was meant to be, if it is none of the protocol's: the one that it is but for a letter, case or marks.
std::string_view meant_by(std::string_view name) {
  if (std::ranges::find(notifications_of_servers, name) != std::end(notifications_of_servers)) return "";
  const std::string letters = letters_of(name);
  for (std::string_view known : notifications_of_servers) {
    const std::string wanted = letters_of(known);
    if (letters == wanted || differ_by_a_letter(letters, wanted)) return known;
  }
  return "";
}

void notification_names(const Session& session, Watch& watch) {
  watch.looked_at += session.messages().size();
  each(session, Message::Kind::notification, [&](const Message& message) {
    const std::string name = message.method();
    if (name == "notifications/initialized" || name == "notifications/roots/list_changed")
      watch.violation("no notification that only clients send", start_of(message));
    if (const std::string_view meant = meant_by(name); !meant.empty())
      watch.violation("the name " + std::string(meant), start_of(message));
  });
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

/// A change of a list is announced only where it was declared: in `initialize`, or by a subscription.
void list_changed_not_undeclared(const Session& session, Watch& watch, const std::string& list) {
  const auto capabilities = declared_capabilities(session);
  bool declared = !capabilities || get(*capabilities, list, "listChanged") == Json(true);
  for (const Message& message : session.messages()) {
    declared |= message.method() == "notifications/subscriptions/acknowledged";
    if (message.kind == Message::Kind::response) ++watch.looked_at;
    if (message.method() == "notifications/" + list + "/list_changed" && !declared && !session.sent_raw())
      watch.violation("no list_changed where " + list + ".listChanged is not declared", start_of(message));
  }
}

void tools_list_changed_not_undeclared(const Session& session, Watch& watch) {
  list_changed_not_undeclared(session, watch, "tools");
}

void prompts_list_changed_not_undeclared(const Session& session, Watch& watch) {
  list_changed_not_undeclared(session, watch, "prompts");
}

void resources_list_changed_not_undeclared(const Session& session, Watch& watch) {
  list_changed_not_undeclared(session, watch, "resources");
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
  return !text.empty() && text.size() <= max_error_message && text.find('\n') == std::string_view::npos &&
         text.find("Traceback") == std::string_view::npos && text.find("    at ") == std::string_view::npos;
}

void error_message_concise(const Session& session, Watch& watch) {
  each(session, Message::Kind::response, [&](const Message& message) {
    if (!message.is_error()) return;
    ++watch.looked_at;
    if (!is_concise(text_of(get(message.json, "error", "message"))))
      watch.violation("an error message of one line, of 1 to 300 characters, without a stack", start_of(message));
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
      {"rpc-notification-names", notification_names},
      {"rpc-one-response-per-request", one_response_per_request},
      {"rpc-error-message-concise", error_message_concise},
      {"log-capability-declared", log_capability_declared},
      {"tools-list-changed-not-undeclared", tools_list_changed_not_undeclared},
      {"prompts-list-changed-not-undeclared", prompts_list_changed_not_undeclared},
      {"resources-list-changed-not-undeclared", resources_list_changed_not_undeclared},
      {"rpc-server-request-id-valid", server_request_id_valid},
      {"rpc-server-request-id-unique", server_request_id_unique},
  };
  return checks;
}

}  // namespace toolwire::conformance
