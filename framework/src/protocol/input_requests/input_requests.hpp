// Questions to the client. 2026-07-28: the request ends with the questions and comes again with answers and
// sealed state (basic/patterns/mrtr). Legacy: the server sends requests of its own and runs the tool again when they
// are answered; no thread waits.
#pragma once

#include <functional>
#include <memory>

#include "protocol/input_requests/asked_request.hpp"
#include "toolwire/result.hpp"

namespace toolwire::protocol {

/// The answers that came with a modern request: those in its sealed state and, of its inputResponses, those that were
/// asked for. Throws -32602 if the state is not ours, was altered, has expired or belongs to another request, or the
/// members are unusable. Looks at the exchange, subject and arguments of the request only.
JsonObject answers_in(const AskedRequest& request);

/// Whether the exchange goes on with a call that was charged when it began: it came with a sealed state (which
/// `answers_in` has accepted) that is used for the first time.
bool continues_charged_call(const Exchange& exchange);

/// What tells a function whether the client can answer a question. The exchange must outlive it.
std::function<bool(const Question&)> asker_of(const Exchange& exchange);

/// Puts the questions to the client: the request is answered with them (modern), or run again when they are answered.
/// Throws -32021 when a modern client has not declared that it can answer them.
void ask_client(const std::shared_ptr<AskedRequest>& request, Questions&& questions);

/// The legacy half; see legacy_questions.cpp.
void ask_legacy_client(const std::shared_ptr<AskedRequest>& request, Questions&& questions);

}  // namespace toolwire::protocol
