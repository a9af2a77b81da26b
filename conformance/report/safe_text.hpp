// Text of servers made safe to show: a server may write anything, also what moves a terminal's cursor, ends a tag or is
// no UTF-8 at all. Knows no report.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace toolwire::conformance {

/// Valid UTF-8: what is none becomes U+FFFD.
std::string valid_utf8(std::string_view text);

/// Valid UTF-8 in which control characters stand as "\x1b"; line feeds and tabs stay. Bidirectional and other invisible
/// controls are written as "\u{202e}".
std::string visible(std::string_view text);

/// The first `max_bytes` bytes, never cutting a character, and how much is missing.
std::string shortened(std::string_view text, std::size_t max_bytes);

/// `visible`, each line shortened to `max_width` bytes, and of more than `max_lines` lines the first and the last.
std::string excerpt(std::string_view text, std::size_t max_lines, std::size_t max_width);

/// `visible`, for an element or attribute of HTML or XML 1.0.
std::string escaped_markup(std::string_view text);

/// One argument of a POSIX shell, quoted where it must be.
std::string shell_word(std::string_view text);

}  // namespace toolwire::conformance
