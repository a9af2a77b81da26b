// Bytes of unknown origin as text that is safe to send: valid UTF-8 without NUL, cut only between characters.
// Independent of files, budgets or encodings other than UTF-8.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace workspace {

/// Valid text and how many bytes of the original it stands for.
struct ValidText {
  std::string text;
  std::size_t consumed = 0;
};

/// Copies whole characters until the copy would exceed `most` bytes. What is not UTF-8 becomes U+FFFD, as in
/// toolwire::text::valid, and so does NUL, which many readers of text cannot hold; so `text` may be longer than what it
/// stands for, never shorter.
ValidText valid_utf8_prefix(std::string_view bytes, std::size_t most);

/// All of `bytes`, likewise.
std::string valid_utf8(std::string_view bytes);

}  // namespace workspace
