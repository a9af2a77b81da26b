// Texts of the peer as they may appear in messages: bounded, and without anything that a terminal or a log interprets.
// Independent of the messages.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace toolwire::types {

/// The most bytes of a text of the peer that are repeated to it.
inline constexpr std::size_t max_echoed = 64;

/// `text` made visible for a place between quotes, which are escaped in it as backslashes are; cut at a boundary of
/// code points with "…" behind it.
std::string echo(std::string_view text);

}  // namespace toolwire::types
