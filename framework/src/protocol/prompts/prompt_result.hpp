// The result of a prompt as members of a wire result. Takes values, returns text.
#pragma once

#include <string>

#include "protocol/exchange.hpp"
#include "toolwire/prompt.hpp"

namespace toolwire::protocol {

/// Answers with the result (specification: server/prompts, GetPromptResult). A prompt without a description of its
/// result has that of the prompt.
void answer_with_messages(const Exchange& exchange, const PromptInfo& info, const PromptResult& result);

}  // namespace toolwire::protocol
