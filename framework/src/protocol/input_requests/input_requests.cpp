#include "protocol/input_requests/input_requests.hpp"

#include <algorithm>
#include <utility>

#include "json/writer.hpp"
#include "log/log.hpp"
#include "protocol/input_requests/client_ability.hpp"
#include "protocol/input_requests/question_params.hpp"
#include "protocol/input_requests/state.hpp"
#include "protocol/input_requests/used_nonces.hpp"
#include "protocol/tasks/task.hpp"

namespace toolwire::protocol {
namespace {

[[noreturn]] void refuse(const std::string& why) {
  throw ProtocolError(error_code::invalid_params, "Invalid params: " + why);
}

State unsealed(const AskedRequest& request, const Json& text) {
  if (!text.is_string()) refuse("\"requestState\" must be a string");
  const Limits& limits = request.exchange().connection->service.options.limits;
  auto state = unseal(text.get_string(), state_key(), limits.sealed_state, std::chrono::system_clock::now());
  if (!state || state->subject != request.subject() || state->arguments_digest != digest_of(request.arguments())) {
    refuse(
        "\"requestState\" is not valid for this call: it was altered, has expired, or belongs to another; call without "
        "it");
  }
  return std::move(*state);
}

/// 2026-07-28 basic/patterns/mrtr: single use is enforced here. Throws -32602 for answers that were used before, -32603
/// if that cannot be determined.
void use_up(const State& state, std::string_view sealed) {
  switch (spend_state(nonce_of(sealed), state.expires, std::chrono::system_clock::now())) {
    case Spending::spent_now:
      return;
    case Spending::spent_before:
      refuse("the answers that come with this \"requestState\" were used before and count once; call without it");
    case Spending::impossible:
      break;
  }
  process::log(
      "answers that count once cannot be taken: the file of used ones (spent-states, in the user's state "
      "folder) cannot be read or written");
  throw ProtocolError(error_code::internal_error,
                      "Internal error: these answers count once, and the server cannot record that they are used",
                      JsonObject{{"code", "unavailable"}, {"retryable", true}});
}

const JsonObject& responses_in(const JsonObject& params) {
  static const JsonObject none;
  const Json* responses = params.if_contains("inputResponses");
  if (responses == nullptr) return none;
  const JsonObject* object = responses->if_object();
  bool usable = object != nullptr && std::all_of(object->begin(), object->end(),
                                                 [](const auto& response) { return response.value().is_object(); });
  if (!usable) refuse("\"inputResponses\" must be an object of objects, one for each answered input request");
  return *object;
}

std::string seal_state(const AskedRequest& call, const Questions& questions) {
  const Limits& limits = call.exchange().connection->service.options.limits;
  const auto age = call.answers_within() > call.answers_within().zero() ? call.answers_within() : limits.state_age;
  State state{call.subject(), digest_of(call.arguments()), {}, call.answers(), std::chrono::system_clock::now() + age};
  for (const Question& question : questions.list) state.asked.push_back(question.key);
  return seal(state, state_key(), limits.sealed_state);
}

void append_input_required(std::string& out, const Exchange& exchange, const Questions& questions,
                           const std::string& state) {
  json::Writer writer(out);
  writer.begin_object();
  writer.key("resultType").string("input_required");
  writer.key("inputRequests").begin_object();
  for (const Question& question : questions.list) {
    writer.key(question.key).begin_object();
    writer.key("method").string(question.method);
    if (Json params = params_for(*exchange.revision, question); !params.is_null()) writer.key("params").value(params);
    writer.end_object();
  }
  writer.end_object();
  writer.key("requestState").string(state);
  out.append(",").append(exchange.connection->service.result_meta_text()).append("}}");
}

}  // namespace

JsonObject answers_in(const AskedRequest& request) {
  const Exchange& exchange = request.exchange();
  if (!exchange.revision->modern) return {};
  const JsonObject& responses = responses_in(exchange.arguments());
  const Json* sealed = exchange.arguments().if_contains("requestState");
  if (sealed == nullptr) return {};  // unsolicited answers are ignored
  State state = unsealed(request, *sealed);
  bool answered = !state.answers.empty();
  for (const std::string& key : state.asked) {
    if (const Json* response = responses.if_contains(key)) {
      state.answers[key] = *response;
      answered = true;
    }
  }
  if (answered && request.single_use_answers()) use_up(state, sealed->get_string());
  return std::move(state.answers);
}

bool continues_charged_call(const Exchange& exchange) {
  const Json* sealed = exchange.revision->modern ? exchange.arguments().if_contains("requestState") : nullptr;
  if (sealed == nullptr) return false;
  Service& service = exchange.connection->service;
  const auto now = std::chrono::system_clock::now();
  return service.continuations.use(nonce_of(sealed->get_string()), now + service.options.limits.state_age, now);
}

std::function<bool(const Question&)> asker_of(const Exchange& exchange) {
  return [&exchange](const Question& question) {
    return can_answer(*exchange.revision, exchange.client_capabilities(), question);
  };
}

void ask_client(const std::shared_ptr<AskedRequest>& call, Questions&& questions) {
  const Exchange& exchange = call->exchange();
  if (!exchange.revision->modern) return ask_legacy_client(call, std::move(questions));
  for (const Question& question : questions.list) {
    if (can_answer(*exchange.revision, exchange.client_capabilities(), question)) continue;
    throw ProtocolError(error_code::missing_client_capability,
                        call->subject() + " asks " + wish_of(question) + " (" + question.method +
                            "), which the client has not declared it can do",
                        JsonObject{{"requiredCapabilities", capability_for(question)}});
  }
  if (exchange.task != nullptr) return exchange.task->ask(call, std::move(questions));
  std::string state = seal_state(*call, questions);
  if (state.empty())
    return call->fail_with_code("state_too_large", "The answers so far are too large to be kept", false);
  call->pause_deadline();
  exchange.call->answer([&](std::string& out) { append_input_required(out, exchange, questions, state); });
  exchange.connection->crew.flush_from_outside();
}

}  // namespace toolwire::protocol
