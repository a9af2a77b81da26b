// Texts of the peer as they may appear in our messages: bounded, and with nothing in them that a terminal or a log
// obeys. Independent of the messages.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace toolwire::types {

/// At most so many bytes of a text of the peer are repeated to it.
inline constexpr std::size_t max_echoed = 64;

/// `text` made visible for a place between quotes, which are escaped in it as backslashes are; cut at a boundary of
/// code points with "…" behind it.
std::string echo(std::string_view text);

}  // namespace toolwire::types
