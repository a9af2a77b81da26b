// The text of a block of content (toolwire/result.hpp). Takes values, returns values.
#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace toolwire {

struct Content;

namespace types {

/// Of a text, also of one that another server has written; nothing for blocks of other kinds. It is the block's.
std::optional<std::string_view> text_in(const Content& content);

/// Puts `text` into a block that `text_in` has found one in; all else of the block stays.
void set_text(Content& content, std::string text);

}  // namespace types
}  // namespace toolwire
