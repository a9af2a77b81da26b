#include "schema/formats.hpp"

#include <algorithm>

namespace toolwire::schema {
namespace {

bool is_digit(char c) { return c >= '0' && c <= '9'; }
bool is_letter(char c) { return (c | 0x20) >= 'a' && (c | 0x20) <= 'z'; }
bool is_hex(char c) { return is_digit(c) || ((c | 0x20) >= 'a' && (c | 0x20) <= 'f'); }
bool is_beyond_ascii(char c) { return static_cast<unsigned char>(c) >= 0x80; }

bool is_label(std::string_view label) {
  if (label.empty() || label.size() > 63 || label.front() == '-' || label.back() == '-') return false;
  for (const char c : label) {
    if (!is_digit(c) && !is_letter(c) && c != '-') return false;
  }
  // "--" in the third and fourth place is reserved (RFC 5891); what follows "xn--" is not checked.
  const bool reserved = label.size() >= 4 && label[2] == '-' && label[3] == '-';
  return !reserved || ((label[0] | 0x20) == 'x' && (label[1] | 0x20) == 'n' && label.size() > 4);
}

// RFC 5321: what stands between the quotes of a quoted string.
bool is_quoted_content(std::string_view text, bool international) {
  for (std::size_t at = 0; at < text.size(); ++at) {
    if (text[at] == '"') return false;
    if (text[at] == '\\' && ++at == text.size()) return false;
    if (static_cast<unsigned char>(text[at]) < 0x20 || text[at] == 0x7f) return false;
    if (!international && is_beyond_ascii(text[at])) return false;
  }
  return true;
}

// RFC 5321: an atom with dots between its parts, or a quoted string.
bool is_local_part(std::string_view text, bool international) {
  static constexpr std::string_view signs = "!#$%&'*+-/=?^_`{|}~";
  if (text.starts_with('"'))
    return text.size() >= 2 && text.ends_with('"') && is_quoted_content(text.substr(1, text.size() - 2), international);
  const auto is_atom = [international](char c) {
    return is_digit(c) || is_letter(c) || signs.find(c) != signs.npos || (international && is_beyond_ascii(c));
  };
  char before = '.';
  for (const char c : text) {
    if (c == '.' ? before == '.' : !is_atom(c)) return false;
    before = c;
  }
  return before != '.';
}

bool is_ipv6_group(std::string_view text) {
  return !text.empty() && text.size() <= 4 && std::all_of(text.begin(), text.end(), is_hex);
}

bool is_international_domain(std::string_view text) {
  char before = '.';
  for (const char c : text) {
    if (c == '.' ? before == '.' : !is_digit(c) && !is_letter(c) && c != '-' && !is_beyond_ascii(c)) return false;
    before = c;
  }
  return before != '.';
}

}  // namespace

bool is_hostname(std::string_view text) {
  if (text.empty() || text.size() > 253) return false;
  while (true) {
    const auto dot = text.find('.');
    if (!is_label(text.substr(0, dot))) return false;
    if (dot == text.npos) return true;
    text.remove_prefix(dot + 1);
  }
}

bool is_ipv4(std::string_view text) {
  for (int part = 0; part < 4; ++part) {
    std::size_t digits = 0;
    int number = 0;
    while (digits < text.size() && digits < 3 && is_digit(text[digits])) number = number * 10 + (text[digits++] - '0');
    if (digits == 0 || number > 255 || (digits > 1 && text[0] == '0')) return false;
    text.remove_prefix(digits);
    if (part == 3) break;
    if (!text.starts_with('.')) return false;
    text.remove_prefix(1);
  }
  return text.empty();
}

bool is_ipv6(std::string_view text) {
  int groups = 0;
  bool gap = text.starts_with("::");
  if (gap) text.remove_prefix(2);
  if (gap && text.empty()) return true;
  while (true) {
    const auto colon = text.find(':');
    const std::string_view group = text.substr(0, colon);
    if (colon == text.npos && group.find('.') != group.npos) {
      if (!is_ipv4(group)) return false;
      groups += 2;
      break;
    }
    if (!is_ipv6_group(group)) return false;
    ++groups;
    if (colon == text.npos) break;
    text.remove_prefix(colon + 1);
    if (!text.starts_with(':')) continue;
    if (gap) return false;
    gap = true;
    text.remove_prefix(1);
    if (text.empty()) break;
  }
  return gap ? groups < 8 : groups == 8;
}

bool is_email(std::string_view text, bool international) {
  const auto at = text.rfind('@');
  if (at == text.npos || !is_local_part(text.substr(0, at), international)) return false;
  std::string_view domain = text.substr(at + 1);
  if (domain.starts_with('[') && domain.ends_with(']') && domain.size() > 2) {
    domain = domain.substr(1, domain.size() - 2);
    return domain.starts_with("IPv6:") ? is_ipv6(domain.substr(5)) : is_ipv4(domain);
  }
  return international ? is_international_domain(domain) : is_hostname(domain);
}

}  // namespace toolwire::schema
