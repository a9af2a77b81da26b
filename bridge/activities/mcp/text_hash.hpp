// Texts told apart by a few characters.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace toolwire::bridge::mcp {

/// A hash of 16 to 64 bytes (BLAKE2b), as hexadecimal digits.
std::string text_hash(std::string_view text, std::size_t bytes);

}  // namespace toolwire::bridge::mcp
