#include "text/terminal_sequence.hpp"

namespace toolwire::text {
namespace {

constexpr char escape = '\x1b';

/// Whether `text` begins with a character from U+0080 to U+009F.
bool begins_with_c1(std::string_view text) {
  return text.size() > 1 && text[0] == '\xC2' && (static_cast<unsigned char>(text[1]) & 0xE0U) == 0x80U;
}

std::size_t skip_between(std::string_view text, std::size_t at, char first, char last) {
  while (at < text.size() && text[at] >= first && text[at] <= last) ++at;
  return at;
}

/// Where the sequence ends, if a byte from `first` to `last` is its last.
std::size_t end_with(std::string_view text, std::size_t at, char first, char last) {
  return at < text.size() && text[at] >= first && text[at] <= last ? at + 1 : at;
}

std::size_t control_sequence_end(std::string_view text, std::size_t at) {
  at = skip_between(text, at, '0', '?');  // parameters
  at = skip_between(text, at, ' ', '/');  // intermediate bytes
  return end_with(text, at, '@', '~');
}

/// The terminator is ST; xterm takes BEL as well, and CAN, SUB and the beginning of another sequence break the string.
std::size_t string_end(std::string_view text, std::size_t at) {
  for (; at < text.size(); ++at) {
    const std::string_view rest = text.substr(at);
    if (rest.starts_with("\x1b\\") || rest.starts_with("\xC2\x9C")) return at + 2;
    if (rest[0] == '\a' || rest[0] == '\x18' || rest[0] == '\x1a') return at + 1;
    if (rest[0] == escape) return at;
  }
  return at;
}

/// `function` is the byte behind ESC that stands for a character from U+0080 to U+009F.
std::size_t end_of(char function, std::string_view text, std::size_t at) {
  switch (function) {
    case '[':
      return control_sequence_end(text, at);
    case ']':
    case 'P':
    case 'X':
    case '^':
    case '_':
      return string_end(text, at);
    default:
      return at;
  }
}

}  // namespace

std::size_t terminal_sequence_length(std::string_view text) {
  if (begins_with_c1(text)) return end_of(static_cast<char>((text[1] & 0x1F) | 0x40), text, 2);
  if (text.empty() || text[0] != escape) return 0;
  const std::size_t at = skip_between(text, 1, ' ', '/');
  if (at == 1 && at < text.size() && text[at] >= '@' && text[at] <= '_') return end_of(text[at], text, 2);
  return end_with(text, at, '0', '~');
}

}  // namespace toolwire::text
