// How many lines a text has.
#pragma once

#include <algorithm>
#include <cstddef>
#include <string_view>

namespace toolwire::types {

inline std::size_t newlines_in(std::string_view text) {
  return static_cast<std::size_t>(std::count(text.begin(), text.end(), '\n'));
}

/// A last line without newline counts; nothing after the last newline does not.
inline std::size_t lines_in(std::string_view text) {
  return newlines_in(text) + (text.empty() || text.back() == '\n' ? 0 : 1);
}

}  // namespace toolwire::types
