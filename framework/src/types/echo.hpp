// Texts of the peer as they may appear in our messages: bounded, and with nothing in them that a terminal or a log
// obeys. Knows nothing of what the messages say.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace toolwire::types {

/// At most so many bytes of a text of the peer are repeated to it.
inline constexpr std::size_t max_echoed = 64;

/// Code points in a text, as JSON Schema counts the length of strings.
std::size_t count_code_points(std::string_view text);

/// `text` cut at a boundary of code points with "…" behind it, with control characters, quotes, marks of writing
/// direction and invisible characters written as escapes.
std::string echo(std::string_view text);

}  // namespace toolwire::types
