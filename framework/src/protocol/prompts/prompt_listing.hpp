// The text of a prompt in a list, with what a revision knows of it (specification: server/prompts, Prompt).
#pragma once

#include <string>

#include "protocol/revision.hpp"
#include "toolwire/prompt.hpp"

namespace toolwire::protocol {

void append_prompt(std::string& out, const Revision& revision, const PromptInfo& info);

}  // namespace toolwire::protocol
