// The text of a block of content is another one: the counterpart of text_in (toolwire/result.hpp).
#pragma once

#include <string>

namespace toolwire {

struct Content;

namespace types {

/// Puts `text` into a block that `text_in` has found one in; all else of the block stays.
void set_text(Content& content, std::string text);

}  // namespace types
}  // namespace toolwire
