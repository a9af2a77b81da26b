// Which characters words are made of, as ripgrep's \w and \b see them, and which digits and spaces are. Independent of
// expressions.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace workspace {

bool is_ascii(std::string_view text);

/// How many bytes the character at `at` has, which is within the text; 0 if there is none in UTF-8.
std::size_t character_size(std::string_view text, std::size_t at);

/// Whether the character that begins at `at`, or ends there, is of a word; false at the ends of the text and beside
/// what is not UTF-8.
bool is_word_at(std::string_view text, std::size_t at);
bool is_word_before(std::string_view text, std::size_t at);

/// The characters of \w, \d, \s, \W, \D or \S (`kind` is the letter), as they stand between the brackets of a class of
/// RE2: ranges, so that anything may stand before and behind.
const std::string& class_ranges(char kind);

}  // namespace workspace
