// Names of files as models and people read them. A name may hold any bytes but NUL and a slash, even characters that
// are invisible, reverse the text or end a line; so answers show it in a form that hides nothing, and tools take that
// form.
#pragma once

#include <cstddef>
#include <limits>
#include <string>
#include <string_view>

namespace workspace {

/// The path made visible (toolwire/text.hpp), where line feeds, tabs and spaces at either end are escaped as well:
/// "\u{202E}", "\u{A}", "\u{20}"; bytes that are not UTF-8 as "\xFF". A backslash that would begin such an escape
/// stands as "\u{5C}"; most others are plain. An empty path is two quotes. Longer than `most` bytes: cut, ending in
/// "...", and of no use as an argument.
std::string shown_path(std::string_view path, std::size_t most = std::numeric_limits<std::size_t>::max());

/// The path that an argument means: `path_meant(shown_path(path)) == path`. Escapes of characters that need none are
/// taken too.
std::string path_meant(std::string_view shown);

}  // namespace workspace
