#include "process/shown_text.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <string_view>

#include <toolwire/text.hpp>

namespace toolwire::bridge {
namespace {

bool is_seen(char c) { return (c >= ' ' && c <= '~') || c == '\n' || c == '\t'; }

/// Whether all of eight characters are between ' ' and '~'. Each character in which the highest bit is set by any of
/// the three is not; what one of them takes from or carries to its neighbour changes nothing then.
bool are_eight_seen(const char* characters) {
  constexpr std::uint64_t each = 0x0101'0101'0101'0101U;
  std::uint64_t eight = 0;
  std::memcpy(&eight, characters, sizeof eight);
  return (((eight - each * ' ') | (eight + each) | eight) & each * 0x80U) == 0;
}

std::string with_line_feeds(std::string_view text) {
  std::string joined;
  joined.reserve(text.size());
  for (std::size_t end = 0; (end = text.find("\r\n")) != std::string_view::npos; text.remove_prefix(end + 2))
    joined.append(text.substr(0, end)).push_back('\n');
  return joined.append(text);
}

}  // namespace

bool is_shown_as_it_is(std::string_view text) {
  for (; text.size() >= 8; text.remove_prefix(8)) {
    if (!are_eight_seen(text.data()) && !std::ranges::all_of(text.substr(0, 8), is_seen)) return false;
  }
  return std::ranges::all_of(text, is_seen);
}

std::string shown(std::string text) {
  if (!is_shown_as_it_is(text)) text = text::visible(with_line_feeds(text), text::lines);
  return text;
}

}  // namespace toolwire::bridge
