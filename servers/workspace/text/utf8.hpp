// Bytes of unknown origin as text that is safe to send: valid UTF-8, cut only between characters. Independent of files,
// budgets or encodings other than UTF-8.
#pragma once

#include <cstddef>
#include <limits>
#include <string>
#include <string_view>

namespace workspace {

/// Valid text and how many bytes of the original it stands for.
struct ValidText {
  std::string text;
  std::size_t consumed = 0;
};

/// Copies whole characters until the copy would exceed `most` bytes. What is not UTF-8 becomes U+FFFD, one per maximal
/// ill-formed sequence (Unicode 15, section 3.9), and so does NUL, which many readers of text cannot hold; so `text`
/// may be longer than what it stands for, never shorter.
ValidText valid_utf8_prefix(std::string_view bytes, std::size_t most);

/// All of `bytes`, with U+FFFD in place of what is not UTF-8.
std::string valid_utf8(std::string_view bytes);

/// True if `bytes` is well-formed UTF-8 throughout.
bool is_valid_utf8(std::string_view bytes);

/// A path as a line of output shows it: unchanged, unless it has control, bidirectional or zero-width characters, a
/// quote at its start or a space at either end; then as a JSON string, which is also the form in which it goes into the
/// next call. Longer than `most` bytes: cut, ending in "...".
std::string shown_path(std::string_view path, std::size_t most = std::numeric_limits<std::size_t>::max());

}  // namespace workspace
