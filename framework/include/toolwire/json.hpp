// The JSON value that tools see, and reading and writing it as text without losing anything. Independent of JSON-RPC
// and MCP; how the parser and the writer work is private (src/json).
#pragma once

#include <boost/json/value.hpp>
#include <cstddef>
#include <limits>
#include <stdexcept>
#include <string>
#include <string_view>

namespace toolwire {

using Json = boost::json::value;
using JsonObject = boost::json::object;
using JsonArray = boost::json::array;
using JsonString = boost::json::string;

/// A text that is not JSON, or JSON outside the limits. `what()` names the place and what was expected:
/// "at byte 12 (params.x): expected a value, found '}'". `offset` counts bytes from the start of the text.
struct JsonError : std::runtime_error {
  JsonError(const std::string& message, std::size_t at) : std::runtime_error(message), offset(at) {}
  std::size_t offset;
};

/// What an object that names a member twice means: the later member replaces the earlier one, or the text is refused.
enum class DuplicateKeys { last_wins, refuse };

/// The deepest nesting any caller can ask for, because parsing and destroying a value recurse once for each level.
inline constexpr std::size_t greatest_json_depth = 1024;

/// A bound for texts of strangers, see JsonParseOptions::max_values: with it no text takes more memory than four times
/// its length and 32 MiB.
inline constexpr std::size_t usual_json_values = 800'000;

/// Bounds and choices of `parse_json`.
struct JsonParseOptions {
  std::size_t max_depth = 128;  ///< Levels of arrays and objects; larger than `greatest_json_depth` counts as that.
  /// Values and names of members, all together; a value takes 24 bytes of memory, however short it is written.
  std::size_t max_values = std::numeric_limits<std::size_t>::max();
  DuplicateKeys duplicate_keys = DuplicateKeys::last_wins;
};

/// Reads one JSON text (RFC 8259, UTF-8). Integers are exact over the whole range of int64 and uint64; every other
/// number, `-0` included, is the nearest double, and one too large for a double is an error. A lone surrogate escape
/// becomes U+FFFD. Throws JsonError.
Json parse_json(std::string_view text, const JsonParseOptions& options = {});

/// The value as compact text that `parse_json` reads back as an equal value (a double that is a whole number comes back
/// as an integer). Throws std::invalid_argument when a number is NaN or infinite, which JSON cannot express.
std::string to_json_text(const Json& value);

}  // namespace toolwire
