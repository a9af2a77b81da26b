// The encoding of a file's text: detecting it, and converting to UTF-8 and back. Independent of files.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>

namespace workspace {

enum class Encoding { utf8, utf8_with_mark, utf16_little, utf16_big, latin1, binary };

/// "utf-8", "utf-8 with byte order mark", "utf-16le", "utf-16be", "iso-8859-1", "binary".
std::string_view encoding_name(Encoding encoding);

/// What a file that begins with `start` seems to be. A byte order mark decides; then a NUL (UTF-16 if they stand as in
/// Latin text, else binary); then bytes that are not UTF-8: ISO 8859-1 if no character beyond ASCII is valid UTF-8 and
/// none is a control character, else UTF-8 with damage.
Encoding encoding_of(std::string_view start);

/// So many bytes of a file are looked at first.
inline constexpr std::size_t start_size = std::size_t{8} * 1024;

/// The same of all of a file: what its start says, but that UTF-8 and ISO 8859-1 are told apart by all of it.
Encoding encoding_of_whole(std::string_view bytes);

/// Whether a byte order mark says UTF-16.
bool has_wide_mark(std::string_view start);

/// The text in UTF-8, without a byte order mark. For UTF-8 the bytes as they are; unpaired surrogates become U+FFFD.
std::string to_utf8(std::string_view bytes, Encoding encoding);

/// The other way, with the byte order mark where the encoding has one. Nothing if a character cannot be written so.
std::optional<std::string> from_utf8(std::string_view text, Encoding encoding);

}  // namespace workspace
