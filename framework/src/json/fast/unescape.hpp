// The inside of a JSON string with escapes to the text it stands for. Independent of values; what is unusual (half a
// surrogate pair, a control character, a missing end) it leaves to others.
#pragma once

#include <cstddef>
#include <optional>

#include "json/fast/copy_run.hpp"

namespace toolwire::json {

struct Unescaped {
  std::size_t read = 0;       ///< Bytes of the source, the closing quote included.
  std::size_t written = 0;    ///< Bytes of the text.
  bool beyond_ascii = false;  ///< Whether there may be bytes from 0x80 on in the source, which have not been checked.
};

/// Reads by blocks; byte by byte +10 % (large_escaped). `into` must have room for as many bytes as there are from
/// `from` to `end`, and `unescape_slack` more. Nothing if the string is not an ordinary one.
inline constexpr std::size_t unescape_slack = copy_slack;
std::optional<Unescaped> unescape(const char* from, const char* end, char* into);

}  // namespace toolwire::json
