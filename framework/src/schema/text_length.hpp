// The length of a text in code points, counted only as far as a bound needs it.
#pragma once

#include <cstdint>
#include <string_view>

#include "text/code_points.hpp"

namespace toolwire::schema {

/// Whether the text has `least` to `most` code points. Most texts are decided by their number of bytes alone.
inline bool has_length(std::string_view text, std::uint32_t least, std::uint32_t most) {
  if (text.size() < least || text.size() / 4 > most) return false;
  if ((text.size() + 3) / 4 >= least && text.size() <= most) return true;
  const std::size_t length = text::count_code_points(text);
  return length >= least && length <= most;
}

}  // namespace toolwire::schema
