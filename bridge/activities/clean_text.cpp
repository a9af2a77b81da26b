#include "activities/clean_text.hpp"

#include <cstddef>
#include <cstdint>

namespace toolwire::bridge::mcp {
namespace {

constexpr char32_t invalid = 0xFFFFFFFF;
constexpr char escape = '\x1b';

/// Takes one character off the front; `invalid` for a byte that begins none.
char32_t take_character(std::string_view& text) {
  const auto lead = static_cast<unsigned char>(text.front());
  const std::size_t length = lead < 0x80 ? 1 : lead >> 5 == 6 ? 2 : lead >> 4 == 14 ? 3 : lead >> 3 == 30 ? 4 : 0;
  if (length == 0 || length > text.size()) return text.remove_prefix(1), invalid;
  char32_t value = length == 1 ? lead : lead & (0xFFU >> (length + 1));
  for (std::size_t i = 1; i < length; ++i) {
    const auto byte = static_cast<unsigned char>(text[i]);
    if (byte >> 6 != 2) return text.remove_prefix(1), invalid;
    value = value << 6 | (byte & 0x3FU);
  }
  constexpr char32_t least[] = {0, 0, 0x80, 0x800, 0x10000};
  const bool fits = value >= least[length] && value <= 0x10FFFF && (value < 0xD800 || value > 0xDFFF);
  text.remove_prefix(fits ? length : 1);
  return fits ? value : invalid;
}

bool is_unwanted(char32_t c) {
  if (c < 0x20) return c != '\t' && c != '\n';
  const auto between = [c](char32_t first, char32_t last) { return c >= first && c <= last; };
  return between(0x7F, 0x9F) || c == 0x061C || c == 0x200B || c == 0x200E || c == 0x200F || between(0x2028, 0x202E) ||
         between(0x2060, 0x206F) || c == 0xFEFF || between(0xFFF9, 0xFFFB) || between(0xE0000, 0xE0FFF);
}

/// Behind an ESC: ECMA-48 control sequences, strings up to BEL or ST, and two-character escapes.
void skip_escape(std::string_view& text) {
  if (text.empty()) return;
  const char kind = text.front();
  text.remove_prefix(1);
  if (kind == '[') {
    while (!text.empty() && (text.front() < '@' || text.front() > '~') && text.front() >= ' ') text.remove_prefix(1);
    if (!text.empty() && text.front() >= '@' && text.front() <= '~') text.remove_prefix(1);
  } else if (kind == ']' || kind == 'P' || kind == 'X' || kind == '^' || kind == '_') {
    const std::size_t end = text.find_first_of("\a\x1b");
    if (end == std::string_view::npos) return text.remove_prefix(text.size());
    const bool terminator = text[end] == escape && end + 1 < text.size() && text[end + 1] == '\\';
    text.remove_prefix(end + (terminator ? 2 : text[end] == '\a' ? 1 : 0));
  }
}

bool is_prose(std::string_view member) { return member == "title" || member == "description" || member == "$comment"; }

}  // namespace

std::string clean_text(std::string_view text) {
  std::string clean;
  clean.reserve(text.size());
  while (!text.empty()) {
    if (text.front() == escape) {
      text.remove_prefix(1);
      skip_escape(text);
      continue;
    }
    const std::string_view before = text;
    const char32_t character = take_character(text);
    if (character == invalid) {
      clean += "\xEF\xBF\xBD";
    } else if (!is_unwanted(character)) {
      clean.append(before.substr(0, before.size() - text.size()));
    }
  }
  return clean;
}

Json clean_schema(const Json& schema) {
  if (const JsonArray* items = schema.if_array()) {
    JsonArray clean;
    for (const Json& item : *items) clean.push_back(clean_schema(item));
    return clean;
  }
  const JsonObject* members = schema.if_object();
  if (members == nullptr) return schema;
  JsonObject clean;
  for (const auto& [name, value] : *members) {
    const bool prose = value.is_string() && is_prose(name);
    clean[name] = prose ? Json(clean_text(value.get_string())) : clean_schema(value);
  }
  return clean;
}

}  // namespace toolwire::bridge::mcp
