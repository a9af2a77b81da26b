// Whether a client can be asked a question: what the revision knows, and what the client has declared of it
// (2026-07-28 client/elicitation, client/sampling, client/roots: capabilities). Takes values, returns values.
#pragma once

#include "protocol/revision.hpp"
#include "toolwire/result.hpp"

namespace toolwire::protocol {

/// The client capability the question needs, as {"elicitation":{"url":{}}}; a form needs no more than
/// {"elicitation":{}}.
JsonObject capability_for(const Question& question);

/// Whether the revision has such a question, and the client has declared that it can answer it.
bool can_answer(const Revision& revision, const JsonObject& client_capabilities, const Question& question);

/// What is asked, to follow the word "asks" in a sentence: "the user to fill in a form".
const char* wish_of(const Question& question);

}  // namespace toolwire::protocol
