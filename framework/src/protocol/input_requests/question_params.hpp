// The params of a question as a revision knows them. Questions are made in the words of the newest revision.
// Takes values, returns values.
#pragma once

#include "protocol/revision.hpp"
#include "toolwire/result.hpp"

namespace toolwire::protocol {

/// Null if the question has none. A question that `can_answer` refuses has no params in the revision.
Json params_for(const Revision& revision, const Question& question);

}  // namespace toolwire::protocol
