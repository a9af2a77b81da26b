#include "malformed.hpp"

#include <algorithm>
#include <toolwire/text.hpp>

namespace toolwire::edit {
namespace {

std::string located(TextPlace place, const std::string& message) {
  return "line " + std::to_string(place.line) + ", column " + std::to_string(place.column) + ": " + message;
}

void require_utf8_in(std::string_view text) {
  if (!text::is_valid(text))
    throw std::runtime_error("a file of a host holds UTF-8 only, and this is not: " + std::string(text) +
                             "; nothing was changed");
}

void require_utf8_in(const Json& value) {
  if (value.is_string()) require_utf8_in(std::string_view(value.get_string()));
  if (value.is_array()) {
    for (const Json& item : value.get_array()) require_utf8_in(item);
  }
  if (value.is_object()) {
    for (const auto& [name, member] : value.get_object()) {
      require_utf8_in(std::string_view(name));
      require_utf8_in(member);
    }
  }
}

bool begins_character(char byte) { return (static_cast<unsigned char>(byte) & 0xC0U) != 0x80U; }

}  // namespace

TextPlace place_in(std::string_view text, std::size_t offset) {
  const std::string_view before = text.substr(0, std::min(offset, text.size()));
  const std::size_t line_begin = before.rfind('\n') + 1;  // npos + 1 is 0
  const std::string_view line = before.substr(line_begin);
  const auto mark = line_begin == 0 ? std::min(byte_order_mark(text), line.size()) : 0;
  return {.line = 1 + static_cast<std::size_t>(std::ranges::count(before, '\n')),
          .column = 1 + static_cast<std::size_t>(std::ranges::count_if(line.substr(mark), begins_character))};
}

Malformed::Malformed(std::string_view text, std::size_t offset, const std::string& message)
    : std::runtime_error(located(place_in(text, offset), message)), place(place_in(text, offset)) {}

void require_utf8(std::string_view text) {
  if (text::is_valid(text)) return;
  for (std::size_t at = 0; at < text.size();) {
    const text::Character next = text::first_character(text.substr(at));
    if (!next.is_valid) throw Malformed(text, at, "expected UTF-8");
    at += next.length;
  }
}

void require_utf8(const std::vector<std::string>& path, const Json& entry) {
  for (const std::string& name : path) require_utf8_in(std::string_view(name));
  require_utf8_in(entry);
}

std::size_t byte_order_mark(std::string_view text) { return text.starts_with("\xEF\xBB\xBF") ? 3 : 0; }

std::string_view line_end_of(std::string_view text) {
  const std::size_t newline = text.find('\n');
  return newline != std::string_view::npos && newline > 0 && text[newline - 1] == '\r' ? "\r\n" : "\n";
}

}  // namespace toolwire::edit
