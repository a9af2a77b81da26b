// Text of servers made fit for one kind of report: short enough, or escaped for a shell. What hides in it is shown, and
// markup escaped, by toolwire/text.hpp. Knows no report.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace toolwire::conformance {

/// The first `max_bytes` bytes, never cutting a character, and how much is missing.
std::string shortened(std::string_view text, std::size_t max_bytes);

/// The text made visible, each line shortened to `max_width` bytes, and of more than `max_lines` lines the first and
/// the last.
std::string excerpt(std::string_view text, std::size_t max_lines, std::size_t max_width);

/// One argument of a POSIX shell, quoted where it must be.
std::string shell_word(std::string_view text);

}  // namespace toolwire::conformance
