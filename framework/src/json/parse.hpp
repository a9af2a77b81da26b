// Text to JSON values, with what a protocol needs to know beyond the value: the raw id, duplicate members, precise
// errors. Knows JSON only: that an envelope has a member "id" is all it knows of JSON-RPC.
#pragma once

#include <boost/json/storage_ptr.hpp>
#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <toolwire/json.hpp>
#include <variant>

#include "json/bounds.hpp"

namespace toolwire::json {

/// Why a text was refused: where (byte and path), what was expected, what was found. `offset` counts bytes of the text
/// given.
struct ParseError {
  std::string message;
  std::size_t offset = 0;
};

/// One parsed line. When `value` is not an object, the other members keep their defaults.
struct Envelope {
  Json value;
  std::string
      id_text;  ///< The member "id" of the outermost object, byte for byte as sent; the last one if there are several.
  bool has_id = false;  ///< Whether the outermost object has a member "id", of whatever kind.
  std::string
      duplicate;  ///< Name of a member the outermost object has twice, else empty (a doubled "" is reported as `""`).
};

/// Reads one JSON text. Memory of the value comes from `storage`, which must outlive it unless it is counted.
/// Never throws for bad input (std::bad_alloc only).
std::variant<Json, ParseError> parse(std::string_view text, const JsonParseOptions& options,
                                     const boost::json::storage_ptr& storage = {});

/// What `parse` does with a text that is not plain (see fast.hpp): the library's parser reads it, or tells what
/// is wrong. For every plain text the two agree; this one takes longer.
std::variant<Json, ParseError> parse_by_library(std::string_view text, const JsonParseOptions& options,
                                                const boost::json::storage_ptr& storage = {});

/// Reads one line of a connection; duplicate members are reported for the outermost object, and the last wins below it.
/// A byte order mark before the text (not counted in offsets) and spaces, tabs, CR and LF around it are skipped. Never
/// throws for bad input.
std::variant<Envelope, ParseError> parse_envelope(std::string_view line, Bounds bounds,
                                                  const boost::json::storage_ptr& storage = {});

/// The raw text of the member "id" of the outermost object in a line that did not parse, if it is a string or an
/// integer that is certainly whole. Linear in the line, allocates only the result.
std::optional<std::string> salvage_id(std::string_view line);

}  // namespace toolwire::json
