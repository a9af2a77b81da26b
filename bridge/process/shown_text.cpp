#include "process/shown_text.hpp"

#include <algorithm>
#include <cstddef>
#include <string_view>

#include <toolwire/text.hpp>

namespace toolwire::bridge {
namespace {

bool is_plain(std::string_view text) {
  return std::ranges::all_of(text, [](char c) { return (c >= ' ' && c <= '~') || c == '\n' || c == '\t'; });
}

std::string with_line_feeds(std::string_view text) {
  std::string joined;
  joined.reserve(text.size());
  for (std::size_t end = 0; (end = text.find("\r\n")) != std::string_view::npos; text.remove_prefix(end + 2))
    joined.append(text.substr(0, end)).push_back('\n');
  return joined.append(text);
}

}  // namespace

std::string shown(std::string text) {
  if (!is_plain(text)) text = text::visible(with_line_feeds(text), text::lines);
  return text;
}

}  // namespace toolwire::bridge
