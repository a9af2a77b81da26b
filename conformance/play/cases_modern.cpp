// 2026-07-28: results that ask for input, kinds of results, versions, subscriptions.
#include <array>

#include "play/cases.hpp"

namespace toolwire::conformance {
namespace {

constexpr std::string_view state = "{\"step\": 1} é/+==\\\"";  // that wants to be read

Json declared(const Message& asked) {
  return get(asked.member("params"), "_meta", std::string(meta_prefix) + "clientCapabilities");
}

Json modern_form() {
  const JsonObject schema{{"type", "object"},
                          {"properties", JsonObject{{"name", JsonObject{{"type", "string"}}}}},
                          {"required", JsonArray{Json("name")}}};
  return JsonObject{{"method", "elicitation/create"},
                    {"params", JsonObject{{"mode", "form"}, {"message", "Your name?"}, {"requestedSchema", schema}}}};
}

Json model() {
  const JsonObject message{{"role", "user"}, {"content", JsonObject{{"type", "text"}, {"text", "What is 1 + 1?"}}}};
  return JsonObject{{"method", "sampling/createMessage"},
                    {"params", JsonObject{{"messages", JsonArray{message}}, {"maxTokens", 16}}}};
}

/// Of what the host has declared; empty if it has declared nothing.
JsonObject questions(const Message& asked) {
  JsonObject all;
  const Json capabilities = declared(asked);
  if (get(capabilities, "elicitation").is_object()) all["toolwire form"] = modern_form();
  if (get(capabilities, "sampling").is_object()) all["model"] = model();
  if (get(capabilities, "roots").is_object()) all["0"] = JsonObject{{"method", "roots/list"}};
  return all;
}

void require_input(Stage& stage, const Message& asked, JsonObject members) {
  members["resultType"] = "input_required";
  stage.send(response(asked.id().value_or(nullptr), stage.served().result(std::move(members))));
}

/// The same call again, or nothing if it does not come.
std::optional<Message> retry(Stage& stage) {
  const auto is_call = [](const Message& it) { return it.method() == "tools/call"; };
  return stage.serve_until(is_call, stage.settings().wait);
}

void finish_call(Stage& stage, const std::optional<Message>& call) {
  if (call) stage.answer(*call);
  stage.finish();
}

Message call_that_may_ask(Stage& stage) {
  Message call = stage.await("tools/call");
  if (!questions(call).empty()) stage.note(note::stimulus);
  return call;
}

void input_required(Stage& stage) {
  const Message call = call_that_may_ask(stage);
  if (questions(call).empty()) return finish_call(stage, call);
  require_input(stage, call, {{"inputRequests", questions(call)}, {"requestState", state}});
  finish_call(stage, retry(stage));
}

void input_without_state(Stage& stage) {
  const Message call = call_that_may_ask(stage);
  if (questions(call).empty()) return finish_call(stage, call);
  require_input(stage, call, {{"inputRequests", questions(call)}});
  finish_call(stage, retry(stage));
}

void state_only(Stage& stage) {
  const Message call = stage.await("tools/call");
  stage.note(note::stimulus);
  require_input(stage, call, {{"requestState", state}});
  finish_call(stage, retry(stage));
}

/// Three rounds: the state of each replaces that before; the second has none.
void rounds(Stage& stage) {
  Message call = stage.await("tools/call");
  stage.note(note::stimulus);
  require_input(stage, call, {{"requestState", "round 1"}});
  if (const auto second = retry(stage)) {
    require_input(stage, *second, {{"requestState", "round 2"}});
    return finish_call(stage, retry(stage));
  }
  stage.finish();
}

void undeclared_input(Stage& stage) {
  const Message call = stage.await("tools/call");
  stage.note(note::stimulus);
  const JsonObject unknown{{"method", "toolwire/unknown"}, {"params", JsonObject{}}};
  require_input(stage, call, {{"inputRequests", JsonObject{{"odd", unknown}}}, {"requestState", state}});
  finish_call(stage, retry(stage));
}

void endless_input(Stage& stage) {
  std::optional<Message> call = stage.await("tools/call");
  stage.note(note::stimulus);
  const auto until = Clock::now() + stage.settings().wait;
  for (; call && Clock::now() < until; call = retry(stage)) require_input(stage, *call, {{"requestState", "again"}});
  stage.finish();
}

void answer_main(Stage& stage, const JsonObject& change, const char* remove = nullptr) {
  const Message main = stage.stimulus();
  Json answer = stage.served().response_to(main);
  JsonObject& result = answer.as_object()["result"].as_object();
  for (const auto& [name, value] : change) result[name] = value;
  if (remove != nullptr) result.erase(remove);
  stage.send(answer);
  stage.note(note::answered);
  stage.finish();
}

void odd_result_type(Stage& stage) { answer_main(stage, {{"resultType", "toolwire_unknown"}}); }
void no_result_type(Stage& stage) { answer_main(stage, {}, "resultType"); }

/// However often it is asked.
void version_refused(Stage& stage) {
  const JsonObject versions{{"supported", JsonArray{Json("2026-07-28")}}, {"requested", "2026-07-28"}};
  for (std::optional<Message> it = stage.stimulus(); it; it = stage.next(stage.settings().wait / 2)) {
    if (it->kind == Message::Kind::request)
      stage.send(error_response(it->id().value_or(nullptr), -32022, "Unsupported protocol version", versions));
  }
  stage.finish();
}

/// What a host does of its own accord has to be over before a change: then the next list is for that.
struct Preparing {
  bool is_listed = false, has_called = false;

  Message listen(Stage& stage) {
    const auto is_listen = [this](const Message& it) {
      is_listed = is_listed || it.method() == "tools/list";
      has_called = has_called || it.method() == "tools/call";
      return it.method() == "subscriptions/listen";
    };
    std::optional<Message> found = stage.serve_until(is_listen, std::chrono::hours{1});
    if (!found) throw InputEnded{};
    return std::move(*found);
  }

  /// The call, which waits for its answer meanwhile, where one is still to come.
  std::optional<Message> main(Stage& stage) const {
    if (!is_listed) stage.serve(stage.await("tools/list"));
    if (has_called || stage.settings().main != "tools/call") return std::nullopt;
    return stage.await("tools/call");
  }
};

void subscription(Stage& stage) {
  Preparing preparing;
  const Message listen = preparing.listen(stage);
  const Json id = listen.id().value_or(nullptr);
  const auto told = [&](const Json& subscription) {
    return JsonObject{{"_meta", JsonObject{{std::string(meta_prefix) + "subscriptionId", subscription}}}};
  };
  JsonObject acknowledged = told(id);
  acknowledged["notifications"] = get(listen.member("params"), "notifications");
  stage.send(notification("notifications/subscriptions/acknowledged", acknowledged));
  const std::optional<Message> main = preparing.main(stage);
  stage.note(note::stimulus);
  stage.send(notification("notifications/tools/list_changed", told("toolwire-unknown")));
  stage.send(notification("notifications/tools/list_changed", told(id)));
  stage.serve_for(time_for_lists);
  finish_call(stage, main);
}

constexpr std::array all_modern_cases{
    Case{"input-required", Played::modern, "asks for input, with a state", input_required},
    Case{"input-without-state", Played::modern, "asks for input, without a state", input_without_state},
    Case{"state-only", Played::modern, "asks to be called again with a state", state_only},
    Case{"rounds", Played::modern, "asks to be called again twice", rounds},
    Case{"undeclared-input", Played::modern, "asks for input of a kind that no revision has", undeclared_input},
    Case{"endless-input", Played::modern, "asks to be called again each time", endless_input},
    Case{"odd-result-type", Played::modern, "answers with a resultType that no revision has", odd_result_type},
    Case{"no-result-type", Played::modern, "answers without resultType", no_result_type},
    Case{"version-refused", Played::modern, "refuses the revision that it has named", version_refused},
    Case{"subscription", Played::modern, "tells of changes to a subscription, and to one that is unknown",
         subscription},
};

}  // namespace

std::span<const Case> modern_cases() { return all_modern_cases; }

}  // namespace toolwire::conformance
