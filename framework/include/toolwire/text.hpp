// Text that people or models read, from whatever bytes there are: made valid, made visible, or stripped. One table of
// the Unicode data says for all three what a reader can see.
//
// Hidden are: control and format characters (among them bidirectional marks, isolates and overrides, zero-width
// characters and tags), line and paragraph separators, variation selectors, private use, noncharacters and what Unicode
// has not assigned. Not hidden where they belong to what is seen: a zero-width joiner and a variation selector inside
// of an emoji, the tags of the three flags written with tags, a joiner between the letters of scripts that join them.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace toolwire::text {

/// Which characters that only place the text after them are kept.
struct Layout {
  bool line_feeds = false;
  bool tabs = false;
};
inline constexpr Layout one_line{};
inline constexpr Layout lines{.line_feeds = true, .tabs = true};

/// Whether all bytes are UTF-8. Overlong forms, surrogates and what lies above U+10FFFF are not.
bool is_valid(std::string_view bytes);

/// The text with U+FFFD for each maximal part that is not UTF-8 (Unicode 15, section 3.9, table 3-8).
std::string valid(std::string_view bytes);

/// The text with an escape for each hidden character: "\n", "\r", "\t", else "\u{202E}"; and "\xFF" for a byte that is
/// not UTF-8. What is written in place of the character can also stand in the text itself, for nothing else is changed.
std::string visible(std::string_view bytes, Layout layout = one_line);

/// The text without hidden characters and without the sequences that terminals obey (ECMA-48: CSI, OSC, DCS and the
/// other strings, of 7 and of 8 bits). A line feed or tab that is not kept becomes a space, each maximal part that is
/// not UTF-8 U+FFFD.
std::string stripped(std::string_view bytes, Layout layout = one_line);

/// The text made visible, with its line feeds and tabs, for an element or an attribute of HTML or XML 1.0.
std::string markup(std::string_view bytes);

/// The longest beginning, and the longest end, of a text in at most `bytes` bytes that cuts no character.
std::string_view head(std::string_view text, std::size_t bytes);
std::string_view tail(std::string_view text, std::size_t bytes);

/// The character at the start of some bytes, or what stands there instead of one.
struct Character {
  char32_t code = 0;
  std::size_t length = 1;  ///< In bytes; if it is not valid, of the part that one U+FFFD replaces.
  bool is_valid = false;
};

/// `bytes` must not be empty.
Character first_character(std::string_view bytes);

/// Appends a character as UTF-8; `code` must be at most U+10FFFF and no surrogate.
void append_character(std::string& out, char32_t code);

}  // namespace toolwire::text
