// What OpenAI's two forms have in common: texts that may be lists of parts, and results that have no mark for errors.
#pragma once

#include <functional>
#include <string>

#include "messages/formats/access.hpp"

namespace toolwire::bridge::formats {

/// Calls `each` with every text of a message's content; a refusal is a text, too.
void read_texts(const At& content, const std::function<void(TextBlock)>& each);

/// A result as its text, that of an error marked by its beginning, and the same the other way round.
std::string result_text(const ToolResultMessage& result);
ToolResultMessage read_result(std::string call_id, const At& content);

}  // namespace toolwire::bridge::formats
