#include "manifest/tool_name.hpp"

#include <algorithm>

namespace toolwire::bridge {
namespace {

bool is_lower(char c) { return c >= 'a' && c <= 'z'; }
bool is_digit(char c) { return c >= '0' && c <= '9'; }
bool is_allowed(char c) { return is_lower(c) || is_digit(c) || c == '_' || (c >= 'A' && c <= 'Z'); }
bool is_first_byte(char c) { return (static_cast<unsigned char>(c) & 0xc0) != 0x80; }

// One `_` for each character, not for each byte of one.
std::string with_underscores(std::string_view foreign) {
  std::string name;
  for (const char c : foreign) {
    if (is_allowed(c)) {
      name += c;
    } else if (is_first_byte(c)) {
      name += '_';
    }
  }
  return name.empty() ? "_" : name.substr(0, max_tool_name);
}

}  // namespace

bool is_tool_name(std::string_view name) {
  return !name.empty() && name.size() <= max_tool_name && std::ranges::all_of(name, is_allowed);
}

bool is_usual_tool_name(std::string_view name) {
  const auto usual = [](char c) { return is_lower(c) || is_digit(c) || c == '_'; };
  return !name.empty() && is_lower(name.front()) && std::ranges::all_of(name, usual);
}

std::string NameMapping::map(std::string_view foreign) {
  const std::string plain = with_underscores(foreign);
  std::string name = plain;
  for (std::size_t number = 2; taken_.contains(name); ++number) {
    const std::string suffix = '_' + std::to_string(number);
    name = plain.substr(0, max_tool_name - suffix.size()) + suffix;
  }
  taken_.insert(name);
  return name;
}

}  // namespace toolwire::bridge
