// JSON as people write it in files of settings: with comments and with commas behind last members (JSONC). Knows no
// document.
#pragma once

#include <string>
#include <string_view>

namespace toolwire::bridge {

/// The text with spaces in place of comments (// … and /* … */), of commas before a closing bracket and of a byte order
/// mark at its beginning; every other byte stays where it is, so that offsets and lines are those of `text`. What is in
/// strings is left alone. A comment without an end reaches to the end of the text.
std::string without_comments(std::string_view text);

}  // namespace toolwire::bridge
