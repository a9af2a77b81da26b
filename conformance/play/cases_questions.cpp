// What servers ask of a host in the revisions with a handshake: roots, the model, the user.
#include <array>

#include "play/cases.hpp"

namespace toolwire::conformance {
namespace {

const JsonObject questions_form{
    {"message", "What is your name?"},
    {"requestedSchema", JsonObject{{"type", "object"},
                                   {"properties", JsonObject{{"name", JsonObject{{"type", "string"}}}}},
                                   {"required", JsonArray{Json("name")}}}}};

JsonArray one_message() {
  return {JsonObject{{"role", "user"}, {"content", JsonObject{{"type", "text"}, {"text", "What is 1 + 1?"}}}}};
}

void ask_one(Stage& stage, std::string_view id, std::string_view method, JsonObject params) {
  const Message main = stage.stimulus();
  stage.ask(Json(id), method, std::move(params));
  stage.answer(main);
  stage.finish();
}

void roots(Stage& stage) { ask_one(stage, "roots", "roots/list", {}); }

void sampling(Stage& stage) {
  ask_one(stage, "sampling", "sampling/createMessage", {{"messages", one_message()}, {"maxTokens", 16}});
}

void sampling_malformed(Stage& stage) {
  ask_one(stage, "sampling-malformed", "sampling/createMessage", {{"messages", "none"}});
}

void sampling_tools(Stage& stage) {
  const JsonObject tool{{"name", "add"}, {"inputSchema", JsonObject{{"type", "object"}}}};
  ask_one(stage, "sampling-tools", "sampling/createMessage",
          {{"messages", one_message()}, {"maxTokens", 16}, {"tools", JsonArray{tool}}});
}

void elicitation(Stage& stage) { ask_one(stage, "elicitation", "elicitation/create", questions_form); }

void elicitation_malformed(Stage& stage) {
  ask_one(stage, "elicitation-malformed", "elicitation/create", {{"message", 7}, {"requestedSchema", "any"}});
}

void elicitation_url(Stage& stage) {
  ask_one(stage, "elicitation-url", "elicitation/create",
          {{"mode", "url"},
           {"elicitationId", "toolwire-1"},
           {"url", "http://127.0.0.1:9/toolwire"},
           {"message", "Please sign in"}});
}

void elicitation_mode(Stage& stage) {
  JsonObject params = questions_form;
  params["mode"] = "telepathy";
  ask_one(stage, "elicitation-mode", "elicitation/create", std::move(params));
}

void taken_back(Stage& stage) {
  const Message main = stage.stimulus();
  stage.send(request("taken-back", "sampling/createMessage", {{"messages", one_message()}, {"maxTokens", 16}}));
  stage.send(notification("notifications/cancelled", {{"requestId", "taken-back"}, {"reason", "not needed"}}));
  stage.probe();
  stage.answer(main);
  stage.finish();
}

/// The second of two questions needs no person, and does not wait for the first.
void two_at_once(Stage& stage) {
  const Message main = stage.stimulus();
  stage.send(request("first", "elicitation/create", questions_form));
  stage.ask("second", "ping");
  stage.answer(main);
  stage.finish();
}

constexpr std::array all_question_cases{
    Case{"roots", Played::legacy, "asks for the roots", roots},
    Case{"sampling", Played::legacy, "asks the model", sampling},
    Case{"sampling-malformed", Played::legacy, "asks the model without a message", sampling_malformed},
    Case{"sampling-tools", Played::legacy, "asks the model, with tools", sampling_tools},
    Case{"elicitation", Played::legacy, "asks the user with a form", elicitation},
    Case{"elicitation-malformed", Played::legacy, "asks the user without a form", elicitation_malformed},
    Case{"elicitation-url", Played::legacy, "asks the user to open a page", elicitation_url},
    Case{"elicitation-mode", Played::legacy, "asks the user in a mode that no revision has", elicitation_mode},
    Case{"taken-back", Played::legacy, "cancels its question at once", taken_back},
    Case{"two-at-once", Played::legacy, "sends a ping while the user is asked", two_at_once},
};

}  // namespace

std::span<const Case> question_cases() { return all_question_cases; }

}  // namespace toolwire::conformance
