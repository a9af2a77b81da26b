#include "manifest/commented_json.hpp"

#include <algorithm>
#include <cstddef>

namespace toolwire::bridge {
namespace {

constexpr std::string_view byte_order_mark = "\xEF\xBB\xBF";

/// The end of the string that begins at `at`, behind its quote.
std::size_t end_of_string(std::string_view text, std::size_t at) {
  for (++at; at < text.size() && text[at] != '"'; ++at) {
    if (text[at] == '\\') ++at;
  }
  return std::min(at + 1, text.size());
}

/// The end of the comment that begins at `at`; `at` if none does. The line feed is not part of one.
std::size_t end_of_comment(std::string_view text, std::size_t at) {
  const std::string_view begin = text.substr(at, 2);
  if (begin == "//") return std::min(text.find('\n', at), text.size());
  if (begin != "/*") return at;
  const std::size_t end = text.find("*/", at + 2);
  return end == std::string_view::npos ? text.size() : end + 2;
}

void blank(std::string& text, std::size_t from, std::size_t to) {
  std::replace_if(
      text.begin() + static_cast<std::ptrdiff_t>(from), text.begin() + static_cast<std::ptrdiff_t>(to),
      [](char c) { return c != '\n' && c != '\r'; }, ' ');
}

/// A comma that nothing follows: the bracket closes.
void blank_last_comma(std::string& text, std::size_t bracket) {
  const std::size_t before = bracket == 0 ? std::string::npos : text.find_last_not_of(" \t\r\n", bracket - 1);
  if (before == std::string::npos || text[before] != ',') return;
  const std::size_t value = before == 0 ? std::string::npos : text.find_last_not_of(" \t\r\n", before - 1);
  if (value == std::string::npos || std::string_view("[{,:").find(text[value]) != std::string_view::npos) return;
  text[before] = ' ';
}

}  // namespace

std::string without_comments(std::string_view text) {
  std::string plain(text);
  if (text.starts_with(byte_order_mark)) blank(plain, 0, byte_order_mark.size());
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t comment = end_of_comment(text, at);
    if (comment != at) {
      blank(plain, at, comment);
      at = comment;
    } else if (text[at] == '"') {
      at = end_of_string(text, at);
    } else {
      if (text[at] == ']' || text[at] == '}') blank_last_comma(plain, at);
      ++at;
    }
  }
  return plain;
}

}  // namespace toolwire::bridge
