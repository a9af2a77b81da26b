#include "protocol/input_requests/input_requests.hpp"

#include <algorithm>
#include <set>
#include <utility>
#include <vector>

#include "json/writer.hpp"
#include "log/log.hpp"
#include "protocol/input_requests/client_ability.hpp"
#include "protocol/input_requests/question_params.hpp"
#include "protocol/input_requests/state.hpp"
#include "protocol/request.hpp"
#include "protocol/tasks/task.hpp"
#include "system/later.hpp"
#include "toolwire/detail/what_of.hpp"

namespace toolwire::protocol {
namespace {

[[noreturn]] void refuse(const std::string& why) {
  throw ProtocolError(error_code::invalid_params, "Invalid params: " + why);
}

State unsealed(const Request& request, const Json& text) {
  if (!text.is_string()) refuse("\"requestState\" must be a string");
  const Limits& limits = request.exchange().connection->service.options.limits;
  auto state = unseal(text.get_string(), state_keys(), limits.sealed_state, std::chrono::system_clock::now());
  if (!state && !is_of_known_key(text.get_string(), state_keys())) {
    refuse(
        "\"requestState\" is not valid: it was sealed with a key that this server does not have, or altered; call "
        "without it");
  }
  if (!state || state->caller != request.exchange().caller() || state->subject != request.subject() ||
      state->arguments_digest != digest_of(request.arguments())) {
    refuse(
        "\"requestState\" is not valid for this call: it was altered, has expired, or belongs to another; call without "
        "it");
  }
  return std::move(*state);
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

/// In the order of the questions, no two the same.
std::vector<AskedQuestion> asked_in(const Questions& questions) {
  std::set<std::string_view> taken;
  for (const Question& question : questions.list) taken.insert(question.key);
  std::vector<AskedQuestion> asked;
  for (const Question& question : questions.list) {
    const bool is_shown = !question.shown_key.empty() && taken.insert(question.shown_key).second;
    asked.push_back({question.key, is_shown ? question.shown_key : question.key});
  }
  return asked;
}

std::string seal_state(const Request& call, const std::vector<AskedQuestion>& asked) {
  const Limits& limits = call.exchange().connection->service.options.limits;
  const auto own = call.terms().answers_within;
  const auto age = own > own.zero() ? own : limits.state_age;
  const State state{.subject = call.subject(),
                    .arguments_digest = digest_of(call.arguments()),
                    .asked = asked,
                    .answers = call.answers(),
                    .expires = system::later<std::chrono::system_clock>(age),
                    .caller = call.exchange().caller()};
  return seal(state, state_keys().first, limits.sealed_state);
}

void append_input_required(std::string& out, const Exchange& exchange, const Questions& questions,
                           const std::vector<AskedQuestion>& asked, const std::string& state) {
  json::Writer writer(out);
  writer.begin_object();
  writer.key("resultType").string("input_required");
  writer.key("inputRequests").begin_object();
  for (std::size_t i = 0; i < asked.size(); ++i) {
    const Question& question = questions.list[i];
    writer.key(asked[i].shown_key).begin_object();
    writer.key("method").string(question.method);
    if (Json params = params_for(*exchange.revision, question); !params.is_null()) writer.key("params").value(params);
    writer.end_object();
  }
  writer.end_object();
  writer.key("requestState").string(state);
  out.append(",").append(exchange.connection->service.result_meta_text()).append("}}");
}

}  // namespace

std::optional<AnswersSoFar> answers_in(const Request& request) {
  const JsonObject& params = request.exchange().arguments();
  const JsonObject& responses = responses_in(params);
  const Json* sealed = params.if_contains("requestState");
  if (sealed == nullptr) return std::nullopt;  // unsolicited answers are ignored
  State state = unsealed(request, *sealed);
  bool answered = !state.answers.empty();
  for (const AskedQuestion& question : state.asked) {
    if (const Json* response = responses.if_contains(question.shown_key)) {
      state.answers[question.key] = *response;
      answered = true;
    }
  }
  AnswersSoFar so_far{std::move(state.answers), std::nullopt};
  if (answered && request.terms().single_use_answers)
    so_far.to_use_up = UsedUp{std::string(nonce_of(sealed->get_string())), state.expires};
  return so_far;
}

std::string_view nonce_in(const Exchange& exchange) {
  return nonce_of(exchange.arguments().at("requestState").get_string());
}

/// 2026-07-28 basic/patterns/mrtr: single use is enforced here.
void refuse_used_answers() {
  refuse("the answers that come with this \"requestState\" were used before and count once; call without it");
}

void refuse_unsure_answers(const std::exception_ptr& why) {
  process::log(LogLevel::error, "answers that count once cannot be taken: " + detail::what_of(why));
  throw ProtocolError(error_code::internal_error,
                      "Internal error: these answers count once, and the server cannot record that they are used",
                      JsonObject{{"code", "unavailable"}, {"retryable", true}});
}

std::function<bool(const Question&)> asker_of(const Exchange& exchange) {
  return [&exchange](const Question& question) {
    return can_answer(*exchange.revision, exchange.client_capabilities(), question);
  };
}

void request_input(const std::shared_ptr<Request>& request, Questions&& questions) {
  const Exchange& exchange = request->exchange();
  if (!exchange.revision->modern) return request_legacy_input(request, std::move(questions));
  for (const Question& question : questions.list) {
    if (can_answer(*exchange.revision, exchange.client_capabilities(), question)) continue;
    throw ProtocolError(error_code::missing_client_capability,
                        request->subject() + " asks " + wish_of(question) + " (" + question.method +
                            "), which the client has not declared it can do",
                        JsonObject{{"requiredCapabilities", capability_for(question)}});
  }
  if (exchange.task != nullptr) return exchange.task->ask(request, std::move(questions));
  const std::vector<AskedQuestion> asked = asked_in(questions);
  const std::string state = seal_state(*request, asked);
  if (state.empty())
    return request->fail_with_code("state_too_large", "The answers so far are too large to be kept", false);
  request->pause_clock();
  exchange.call->answer([&](std::string& out) { append_input_required(out, exchange, questions, asked, state); },
                        {.how = RequestEnd::How::asked});
  exchange.connection->channel->flush_from_outside();
}

}  // namespace toolwire::protocol
