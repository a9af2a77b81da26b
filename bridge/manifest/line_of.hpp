// The line of a JSON text that a pointer leads to. Reads no values; the text need not be valid.
#pragma once

#include <cstddef>
#include <string_view>

namespace toolwire::bridge {

/// The line, counted from 1, of the member or element at `pointer`; if it is not there, of the nearest one above it;
/// 0 for the document itself. Walks over the text once, without recursion.
std::size_t line_of(std::string_view text, std::string_view pointer);

/// The line of a byte, counted from 1.
std::size_t line_at(std::string_view text, std::size_t offset);

}  // namespace toolwire::bridge
