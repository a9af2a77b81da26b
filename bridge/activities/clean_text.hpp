// Makes text of a server that is not trusted fit for terminals, logs and the eyes of a user.
// Knows nothing of where it comes from. Results of calls are passed on as they are; this is for names and descriptions.
#pragma once

#include <string>
#include <string_view>

#include <toolwire/json.hpp>

namespace toolwire::bridge::mcp {

/// The text without terminal escapes (CSI, OSC and the other strings), control characters but tab and line feed,
/// characters that turn the direction of text, and those that cannot be seen (among them the tag characters, in which
/// text for a model can be hidden). Bytes that are not UTF-8 become U+FFFD.
std::string clean_text(std::string_view text);

/// A schema whose `title`, `description` and `$comment` members are clean, at any depth. Constraints stay as they are.
Json clean_schema(const Json& schema);

}  // namespace toolwire::bridge::mcp
