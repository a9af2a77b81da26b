// Questions to the client. 2026-07-28: the request ends with the questions and comes again with answers and
// sealed state (basic/patterns/mrtr). Legacy: the server sends requests of its own and runs the function again when
// they are answered; no thread waits.
#pragma once

#include <chrono>
#include <exception>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "toolwire/result.hpp"

namespace toolwire::protocol {

class Request;
struct Exchange;

/// The nonce of a sealed state, and until when the state is good.
struct UsedUp {
  std::string nonce;
  std::chrono::system_clock::time_point expires;
};

/// What came with a request that goes on with an earlier one.
struct AnswersSoFar {
  JsonObject answers;
  std::optional<UsedUp> to_use_up;  // if they count once
};

/// The answers that came with a modern request: those in its sealed state and, of its inputResponses, those that were
/// asked for. Nothing without a state. Throws -32602 if the state is not ours, was altered, has expired or belongs to
/// another request or caller, or the members are unusable. Looks at the exchange, terms, subject and arguments of the
/// request only.
std::optional<AnswersSoFar> answers_in(const Request& request);

/// The nonce of the state that came with the request, which `answers_in` has accepted.
std::string_view nonce_in(const Exchange& exchange);

/// What ends a request whose answers count once and were used before (-32602), or cannot be told to be new (-32603).
[[noreturn]] void refuse_used_answers();
[[noreturn]] void refuse_unsure_answers(const std::exception_ptr& why);

/// What tells a function whether the client can answer a question. The exchange must outlive it.
std::function<bool(const Question&)> asker_of(const Exchange& exchange);

/// Puts the questions to the client: the request is answered with them (modern), or run again when they are answered.
/// Throws -32021 when a modern client has not declared that it can answer them.
void request_input(const std::shared_ptr<Request>& request, Questions&& questions);

/// The legacy half; see legacy_input_requests.cpp.
void request_legacy_input(const std::shared_ptr<Request>& request, Questions&& questions);

}  // namespace toolwire::protocol
