// The group client-messages: JSON-RPC as a host speaks it, and how it answers requests of the server.
#include <algorithm>
#include <array>
#include <set>

#include "client/looking.hpp"

namespace toolwire::conformance {
namespace {

constexpr std::string_view messages_nothing_sent = "the host sent nothing";
constexpr std::string_view no_answers = "the host answered no request of the server";

bool is_integer(const Json& json) { return json.is_int64() || json.is_uint64(); }
bool is_id(const Json& json) { return json.is_string() || is_integer(json); }

template <class Look>
void for_each_line(const Play& play, const Look& look) {
  for (const PlayedSession& session : play.sessions) {
    for (const PlayedLine* line : sent_by_host(session)) look(*line);
  }
}

void messages_only(const Play& play, const HostTraits&, Verdicts& verdicts) {
  for_each_line(play, [&](const PlayedLine& it) {
    if (it.size > kept_text) return;  // it is cut
    ++verdicts.looked_at;
    if (it.message.kind == Message::Kind::foreign && it.ended)
      verdicts.fault(play, "messages and nothing else on the server's input", it.message.problem + ": " + it.text);
  });
}

void whole_lines(const Play& play, const HostTraits&, Verdicts& verdicts) {
  for_each_line(play, [&](const PlayedLine& it) {
    ++verdicts.looked_at;
    if (!it.ended) verdicts.fault(play, "a line feed behind every message", it.text);
  });
}

void utf8(const Play& play, const HostTraits&, Verdicts& verdicts) {
  for_each_line(play, [&](const PlayedLine& it) {
    ++verdicts.looked_at;
    if (!it.valid) verdicts.fault(play, "UTF-8", it.text);
  });
}

void jsonrpc(const Play& play, const HostTraits&, Verdicts& verdicts) {
  for_each_message(play, [&](const Message& it, const PlayedSession&) {
    if (it.kind == Message::Kind::foreign) return;
    ++verdicts.looked_at;
    if (it.member("jsonrpc") != Json("2.0")) verdicts.fault(play, "\"jsonrpc\": \"2.0\"", it.text);
  });
}

void request_ids(const Play& play, const HostTraits&, Verdicts& verdicts) {
  for_each_message(play, [&](const Message& it, const PlayedSession&) {
    if (!is_request(it)) return;
    ++verdicts.looked_at;
    if (!is_id(it.id().value_or(nullptr))) verdicts.fault(play, "a string or an integer as id", it.text);
  });
}

/// In the revisions with a handshake never again in the session; in the other not while one is unanswered, which this
/// does not tell apart from later.
void ids_unique(const Play& play, const HostTraits&, Verdicts& verdicts) {
  if (play.revision->modern) return;
  for (const PlayedSession& session : play.sessions) {
    std::set<std::string> seen;
    for (const PlayedLine* line : sent_by_host(session)) {
      if (!is_request(line->message)) continue;
      ++verdicts.looked_at;
      if (!seen.insert(to_json_text(line->message.id().value_or(nullptr))).second)
        verdicts.fault(play, "an id that the session has not had yet", line->text);
    }
  }
}

void params_object(const Play& play, const HostTraits&, Verdicts& verdicts) {
  for_each_message(play, [&](const Message& it, const PlayedSession&) {
    const JsonObject* object = it.json.if_object();
    const Json* params = object != nullptr ? object->if_contains("params") : nullptr;
    if (it.kind == Message::Kind::response || object == nullptr) return;
    ++verdicts.looked_at;
    if (params != nullptr && !params->is_object()) verdicts.fault(play, "an object as params", it.text);
  });
}

void notifications_without_id(const Play& play, const HostTraits&, Verdicts& verdicts) {
  for_each_message(play, [&](const Message& it, const PlayedSession&) {
    if (!it.method().starts_with("notifications/")) return;
    ++verdicts.looked_at;
    if (it.id()) verdicts.fault(play, "no id in a notification", it.text);
  });
}

bool in(std::string_view text, std::initializer_list<std::string_view> list) {
  return std::ranges::find(list, text) != list.end();
}

bool is_known(std::string_view method, const Revision& revision) {
  if (in(method, {"tools/list", "tools/call", "resources/list", "resources/templates/list", "resources/read",
                  "prompts/list", "prompts/get", "completion/complete", "server/discover"}))
    return true;
  if (revision.modern) return method == "subscriptions/listen" || method.starts_with("tasks/");
  if (method.starts_with("tasks/")) return revision.name == "2025-11-25";
  return in(method, {"initialize", "ping", "logging/setLevel", "resources/subscribe", "resources/unsubscribe"});
}

void known_methods(const Play& play, const HostTraits&, Verdicts& verdicts) {
  if (play.played->name.starts_with("version-")) return;  // no revision is agreed on: another check has to say so
  for_each_message(play, [&](const Message& it, const PlayedSession&) {
    // A host that does not know the server's era yet may ask in either.
    if (!is_request(it) || it.method() == "initialize") return;
    ++verdicts.looked_at;
    if (!is_known(it.method(), *play.revision))
      verdicts.fault(play, "a method of " + std::string(play.revision->name), it.text);
  });
}

void call_params(const Play& play, const HostTraits&, Verdicts& verdicts) {
  for_each_message(play, [&](const Message& it, const PlayedSession&) {
    if (!is_request(it, "tools/call")) return;
    ++verdicts.looked_at;
    const Json& arguments = get(it.member("params"), "arguments");
    if (!get(it.member("params"), "name").is_string() || !(arguments.is_null() || arguments.is_object()))
      verdicts.fault(play, "a name, and an object as arguments if there are any", it.text);
  });
}

void no_batches(const Play& play, const HostTraits&, Verdicts& verdicts) {
  if (play.revision->name == "2025-03-26") return;
  for_each_line(play, [&](const PlayedLine& it) {
    ++verdicts.looked_at;
    if (it.message.kind == Message::Kind::batch) verdicts.fault(play, "no batch in this revision", it.text);
  });
}

void batch_answered(const Play& play, const HostTraits&, Verdicts& verdicts) {
  if (stimulated(play) == nullptr) return;
  ++verdicts.looked_at;
  std::set<std::string> answered;
  for_each_message(play, [&](const Message& it, const PlayedSession&) {
    if (it.kind == Message::Kind::response) answered.insert(std::string(text_of(it.id().value_or(nullptr))));
  });
  if (!answered.contains("batch-1") || !answered.contains("batch-2"))
    verdicts.fault(play, "an answer to each of the two pings", fate(play));
}

/// Each response answers a request of the server, with exactly one of result and error.
void responses_whole(const Play& play, const HostTraits&, Verdicts& verdicts) {
  for_each_message(play, [&](const Message& it, const PlayedSession&) {
    if (it.kind != Message::Kind::response) return;
    ++verdicts.looked_at;
    const JsonObject& object = it.json.as_object();
    if (object.contains("result") == object.contains("error"))
      verdicts.fault(play, "either a result or an error", it.text);
  });
}

void error_codes(const Play& play, const HostTraits&, Verdicts& verdicts) {
  for_each_message(play, [&](const Message& it, const PlayedSession&) {
    if (!it.is_error()) return;
    ++verdicts.looked_at;
    const Json& error = it.member("error");
    if (!is_integer(get(error, "code")) || !get(error, "message").is_string())
      verdicts.fault(play, "an integer as code and a text as message", it.text);
  });
}

void answers_asked(const Play& play, const HostTraits&, Verdicts& verdicts) {
  for (const PlayedSession& session : play.sessions) {
    for (const PlayedLine* line : sent_by_host(session)) {
      if (line->message.kind != Message::Kind::response || line->message.is_error()) continue;
      ++verdicts.looked_at;
      const std::string id = "\"id\":" + to_json_text(line->message.id().value_or(nullptr));
      const bool asked = std::ranges::any_of(session.lines, [&](const PlayedLine& it) {
        return it.from == From::server && it.text.find(id) != std::string::npos &&
               it.text.find("\"method\"") != std::string::npos;
      });
      if (!asked) verdicts.fault(play, "results only of what the server has asked", line->text);
    }
  }
}

void answered_with(const Play& play, Verdicts& verdicts, std::initializer_list<Json> ids) {
  if (stimulated(play) == nullptr) return;
  ++verdicts.looked_at;
  for (const Json& id : ids) {
    if (answer_to(play, id) == nullptr)
      verdicts.fault(play, "an answer with the id " + to_json_text(id) + ", of the same type", fate(play));
  }
}

void text_ids(const Play& play, const HostTraits&, Verdicts& verdicts) {
  answered_with(play, verdicts, {Json("text id"), Json("7"), Json("0")});
}
void falsy_ids(const Play& play, const HostTraits&, Verdicts& verdicts) {
  answered_with(play, verdicts, {Json(0), Json("")});
}
void large_ids(const Play& play, const HostTraits&, Verdicts& verdicts) {
  answered_with(play, verdicts, {Json(-7), Json(9007199254740991)});
}
void larger_ids(const Play& play, const HostTraits&, Verdicts& verdicts) {
  answered_with(play, verdicts, {Json(9007199254740993)});
}

void ping_empty(const Play& play, const HostTraits&, Verdicts& verdicts) {
  const PlayedLine* answer = answer_to(play, "text id");
  if (answer == nullptr) return;
  ++verdicts.looked_at;
  Json result = answer->message.member("result");
  if (JsonObject* object = result.if_object()) object->erase("_meta");
  if (result != Json(JsonObject{})) verdicts.fault(play, "an empty result", answer->text);
}

void ping_answered(const Play& play, const HostTraits&, Verdicts& verdicts) {
  if (stimulated(play) == nullptr || play.revision->modern) return;
  ++verdicts.looked_at;
  if (answer_to(play, "toolwire-probe") == nullptr) verdicts.fault(play, "an answer to the last ping", fate(play));
}

void all_answered(const Play& play, const HostTraits&, Verdicts& verdicts) {
  if (stimulated(play) == nullptr) return;
  ++verdicts.looked_at;
  const auto count = count_of(sent_after_stimulus(play), [](const Message& it) {
    return it.kind == Message::Kind::response && text_of(it.id().value_or(nullptr)).starts_with("many-");
  });
  if (count != 100) verdicts.fault(play, "100 answers to 100 pings", std::to_string(count) + "; " + fate(play));
}

/// The server's ids are not the host's.
void same_id(const Play& play, const HostTraits& traits, Verdicts& verdicts) {
  const PlayedSession* session = stimulated(play);
  if (session == nullptr) return;
  ++verdicts.looked_at;
  const auto is_answer = [](const Message& it) { return it.kind == Message::Kind::response; };
  if (first_of(sent_after_stimulus(play), is_answer) == nullptr)
    verdicts.fault(play, "an answer to the ping, and the host's own request still open", fate(play));
  if (traits.shows_answers && !shows_answer(play, traits))
    verdicts.fault(play, "the answer to the host's own request, afterwards", fate(play));
}

void unknown_request(const Play& play, const HostTraits&, Verdicts& verdicts) {
  if (stimulated(play) == nullptr) return;
  ++verdicts.looked_at;
  const PlayedLine* answer = answer_to(play, "toolwire-unknown");
  if (answer == nullptr) return verdicts.fault(play, "the error -32601", fate(play));
  if (answer->message.error_code() != -32601) verdicts.fault(play, "the error -32601", answer->text);
}

void notifications_unanswered(const Play& play, const HostTraits&, Verdicts& verdicts) {
  if (stimulated(play) == nullptr) return;
  ++verdicts.looked_at;
  const auto is_answer = [](const Message& it) {
    return it.kind == Message::Kind::response && !answers(it, "toolwire-probe");
  };
  if (const PlayedLine* line = first_of(sent_after_stimulus(play), is_answer))
    verdicts.fault(play, "no answer to a notification", line->text);
}

constexpr std::array all_message_checks{
    HostCheck{"client-messages-only", "*", messages_only, messages_nothing_sent},
    HostCheck{"client-whole-lines", "*", whole_lines, messages_nothing_sent},
    HostCheck{"client-utf8", "*", utf8, messages_nothing_sent},
    HostCheck{"client-jsonrpc-version", "*", jsonrpc, messages_nothing_sent},
    HostCheck{"client-request-ids", "*", request_ids, messages_nothing_sent},
    HostCheck{"client-ids-unique", "*", ids_unique, messages_nothing_sent},
    HostCheck{"client-params-object", "*", params_object, messages_nothing_sent},
    HostCheck{"client-notifications-without-id", "*", notifications_without_id, "the host sent no notification"},
    HostCheck{"client-known-methods", "*", known_methods, messages_nothing_sent},
    HostCheck{"client-call-params", "*", call_params, "the host called no tool"},
    HostCheck{"client-no-batches", "*", no_batches, messages_nothing_sent},
    HostCheck{"client-batch-answered", "batch", batch_answered, could_not_be_asked},
    HostCheck{"client-responses-whole", "* unknown-request", responses_whole, no_answers},
    HostCheck{"client-error-shape", "* unknown-request", error_codes, "the host answered with no error"},
    HostCheck{"client-answers-asked", "*", answers_asked, no_answers},
    HostCheck{"client-ping-answered", "odd-notifications unknown-notification odd-progress", ping_answered,
              could_not_be_asked},
    HostCheck{"client-ping-empty-result", "ids", ping_empty, "the host answered no ping"},
    HostCheck{"client-text-ids", "ids", text_ids, could_not_be_asked},
    HostCheck{"client-zero-and-empty-ids", "ids", falsy_ids, could_not_be_asked},
    HostCheck{"client-large-ids", "ids", large_ids, could_not_be_asked},
    HostCheck{"client-ids-beyond-double", "ids-beyond-double", larger_ids, could_not_be_asked},
    HostCheck{"client-many-pings", "many-pings", all_answered, could_not_be_asked},
    HostCheck{"client-same-id-both-ways", "same-id", same_id, could_not_be_asked},
    HostCheck{"client-unknown-request-refused", "unknown-request", unknown_request, could_not_be_asked},
    HostCheck{"client-notifications-unanswered", "unknown-notification odd-notifications", notifications_unanswered,
              could_not_be_asked},
    HostCheck{"client-unknown-notification", "unknown-notification", survives, could_not_be_asked},
    HostCheck{"client-odd-notifications", "odd-notifications", survives, could_not_be_asked},
    HostCheck{"client-many-messages", "many-messages", survives, could_not_be_asked},
    HostCheck{"client-wrong-version-request", "wrong-version-request", survives, could_not_be_asked},
};

}  // namespace

std::span<const HostCheck> message_host_checks() { return all_message_checks; }

}  // namespace toolwire::conformance
