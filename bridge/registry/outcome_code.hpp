// The outcome of a call in one word, for logs, metrics and retries.
#pragma once

#include <chrono>
#include <optional>
#include <string>

#include <toolwire/context.hpp>
#include <toolwire/result.hpp>

namespace toolwire::bridge {

/// "ok", "asked" (questions to the user), "protocol_error", the code of a failure ("timeout", "unavailable" …), or
/// "error" for a result with `isError` that has none.
std::string code_of(const AnyOutcome& outcome);

/// The same, but "cannot_ask" for questions that the client of the call cannot be asked: it is refused for that.
std::string code_of(const AnyOutcome& outcome, const Context& context);

/// `retryAfterMs` of a failure, if it says one.
std::optional<std::chrono::milliseconds> retry_after(const AnyOutcome& outcome);

}  // namespace toolwire::bridge
