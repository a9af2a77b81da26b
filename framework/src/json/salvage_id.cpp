#include <algorithm>

#include "json/member_scan.hpp"
#include "json/parse.hpp"
#include "json/skip.hpp"
#include "toolwire/text.hpp"

namespace toolwire::json {
namespace {

bool is_integer(std::string_view text) {
  if (text.starts_with('-')) text.remove_prefix(1);
  const bool digits =
      !text.empty() && std::all_of(text.begin(), text.end(), [](char c) { return c >= '0' && c <= '9'; });
  return digits && (text.size() == 1 || text.front() != '0');
}

bool is_hex(char c) { return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'f') || (c >= 'A' && c <= 'F'); }

// The length of the escape at the front of `text`, 0 when JSON has none such.
std::size_t escape_length(std::string_view text) {
  if (text.size() < 2) return 0;
  if (text[1] != 'u') return std::string_view("\"\\/bfnrt").find(text[1]) == std::string_view::npos ? 0 : 2;
  return text.size() >= 6 && std::all_of(text.begin() + 2, text.begin() + 6, is_hex) ? 6 : 0;
}

// The id goes into a reply as it is, so that it must be a string of JSON from end to end.
bool is_string(std::string_view text) {
  if (!text.starts_with('"') || skip_string(text, 0) != text.size()) return false;
  text = text.substr(1, text.size() - 2);
  while (!text.empty()) {
    const text::Character character = text::first_character(text);
    if (!character.is_valid || static_cast<unsigned char>(text.front()) < 0x20) return false;
    const std::size_t length = text.front() == '\\' ? escape_length(text) : character.length;
    if (length == 0) return false;
    text.remove_prefix(length);
  }
  return true;
}

}  // namespace

std::optional<std::string> salvage_id(std::string_view line) {
  std::string_view id;
  for (MemberScan member(line); member.next();) {
    if (!member.is_id()) continue;
    const bool is_usable = member.is_ended() && (is_integer(member.value()) || is_string(member.value()));
    if (!is_usable || (!id.empty() && id != member.value()))
      return std::nullopt;  // two ids: either could be the wrong one
    id = member.value();
  }
  if (id.empty()) return std::nullopt;
  return std::string(id);
}

}  // namespace toolwire::json
