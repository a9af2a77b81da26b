// The entry to the fast paths, each of which does in fewer instructions what simpler code does too. Outside of
// json/fast/ only this header is included. "Without it +8 % (call)" says how many more instructions a request of that
// case of tests/bench/instructions takes when the simpler code stands in; what gains less than 2 % has no place here.
#pragma once

#include <boost/json/storage_ptr.hpp>
#include <cstddef>
#include <optional>
#include <string>
#include <string_view>

#include "json/bounds.hpp"
#include "json/fast/arena.hpp"
#include "json/fast/kept_member.hpp"
#include "json/fast/recycled.hpp"
#include "json/fast/relocatable_json.hpp"

namespace toolwire::json {

/// Reads a valid text without anything rare (half a surrogate pair, a number of twenty digits, deep nesting). Returns
/// nothing for all others: parse.hpp reads these with the library's parser, which judges them and tells what was
/// expected. Without it +25 % (large_escaped), +65 % (large_wide). `max_depth` arrays and objects may be nested; memory
/// comes from `storage`.
std::optional<RelocatableJson> read_plain(std::string_view text, std::size_t max_depth,
                                          const boost::json::storage_ptr& storage);

/// What a line holds. `other` is whatever is unusual: an unknown or doubled member, escapes in a name, a null, a batch,
/// an error of any kind.
enum class PlainMessage { other, request, notification, result, error };

/// Reads a line that holds one ordinary JSON-RPC message, as nearly every line does: the text of its id as it was sent,
/// its method, in `payload` its params, result or error, and in `memory` the bytes that this takes. What the message
/// does not have stays as it was; after `other` nothing can be said of the four. Never throws for bad input. Without
/// it, the whole line being read as a value, +32 % (call). `kept`: of the connection; where `_meta` of the params is
/// that of the request before, byte for byte, the params have none, and `kept` shares it (see KeptMember). Without that
/// +25 % (modern).
PlainMessage read_plain_message(std::string_view line, const Bounds& bounds, std::string& id, std::string& method,
                                RelocatableJson& payload, std::size_t& memory, KeptMember* kept = nullptr);

/// An Arena shared by every value made from it, which ends with the last of them. `text_size`: length in bytes of the
/// text that is to be parsed. A value keeps its arena when it is constructed by a move; assigned to an existing one it
/// is copied out of it. Without it +4 % (call), +8 % (modern).
boost::json::storage_ptr arena_for(std::size_t text_size);

/// The same, with the arena itself, which lives as long, and takes `most` bytes at most (Arena::Full).
boost::json::storage_ptr arena_for(std::size_t text_size, std::size_t most, const Arena*& arena);

/// What write_string (writer.hpp) does. Byte by byte +109 % (large_wide), +47 % (large_escaped).
void append_quoted(std::string& out, std::string_view text);

}  // namespace toolwire::json
