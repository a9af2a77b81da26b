// Passing over parts of a JSON text without reading them: for raw text, for error paths, for lines that did not parse.
#pragma once

#include <cstddef>
#include <string_view>

namespace toolwire::json {

/// The first place at or after `at` that is not a space, tab, CR or LF; the size of the text when there is none.
std::size_t skip_space(std::string_view text, std::size_t at);

/// The place behind the string that begins with the quote at `at`, or npos when it does not end.
std::size_t skip_string(std::string_view text, std::size_t at);

/// The ',' , '}' or ']' that ends the value at `at`, or the size of the text; what the value consists of is not looked
/// at except for its strings and brackets. npos when a string does not end or brackets do not match: nothing behind can
/// be trusted then.
std::size_t skip_value(std::string_view text, std::size_t at);

}  // namespace toolwire::json
