#include <algorithm>

#include "schema/formats.hpp"

namespace toolwire::schema {
namespace {

bool is_digit(char c) { return c >= '0' && c <= '9'; }
bool is_letter(char c) { return (c | 0x20) >= 'a' && (c | 0x20) <= 'z'; }
bool is_hex(char c) { return is_digit(c) || ((c | 0x20) >= 'a' && (c | 0x20) <= 'f'); }
bool is_unreserved(char c) { return is_digit(c) || is_letter(c) || c == '-' || c == '.' || c == '_' || c == '~'; }
bool is_beyond_ascii(char c) { return static_cast<unsigned char>(c) >= 0x80; }

constexpr std::string_view sub_delimiters = "!$&'()*+,;=";

/// Which characters one component may hold beside the unreserved ones and percent escapes.
struct Component {
  std::string_view extra;
  bool international;
};

bool consists_of(std::string_view text, Component component) {
  for (std::size_t at = 0; at < text.size(); ++at) {
    const char c = text[at];
    if (c == '%') {
      if (at + 2 >= text.size() || !is_hex(text[at + 1]) || !is_hex(text[at + 2])) return false;
      at += 2;
    } else if (!is_unreserved(c) && sub_delimiters.find(c) == sub_delimiters.npos &&
               component.extra.find(c) == component.extra.npos && !(component.international && is_beyond_ascii(c))) {
      return false;
    }
  }
  return true;
}

bool is_ip_literal(std::string_view text) {
  if (text.empty() || (text[0] | 0x20) != 'v') return is_ipv6(text);
  const auto dot = text.find('.');
  if (dot == text.npos || dot < 2 || dot + 1 == text.size()) return false;
  return std::all_of(text.begin() + 1, text.begin() + static_cast<std::ptrdiff_t>(dot), is_hex) &&
         consists_of(text.substr(dot + 1), {":", false}) && text.find('%') == text.npos;
}

bool is_authority(std::string_view text, bool international) {
  const auto at = text.find('@');
  if (at != text.npos) {
    if (!consists_of(text.substr(0, at), {":", international})) return false;
    text.remove_prefix(at + 1);
  }
  std::string_view port;
  if (text.starts_with('[')) {
    const auto close = text.find(']');
    if (close == text.npos || !is_ip_literal(text.substr(1, close - 1))) return false;
    port = text.substr(close + 1);
    if (!port.empty() && port[0] != ':') return false;
  } else {
    const auto colon = std::min(text.find(':'), text.size());
    if (!consists_of(text.substr(0, colon), {"", international})) return false;
    port = text.substr(colon);
  }
  return port.empty() || std::all_of(port.begin() + 1, port.end(), is_digit);
}

std::size_t scheme_size(std::string_view text) {
  const auto colon = text.find(':');
  if (colon == text.npos || colon == 0 || !is_letter(text[0])) return 0;
  const bool good = std::all_of(text.begin(), text.begin() + static_cast<std::ptrdiff_t>(colon),
                                [](char c) { return is_letter(c) || is_digit(c) || c == '+' || c == '-' || c == '.'; });
  return good ? colon : 0;
}

// RFC 6570: an operator, then names separated by commas, each with an optional ":length" or "*".
bool is_expression(std::string_view text) {
  static constexpr std::string_view operators = "+#./;?&=,!@|";
  if (!text.empty() && operators.find(text[0]) != operators.npos) text.remove_prefix(1);
  while (true) {
    const auto end = std::min(text.find(','), text.size());
    std::string_view name = text.substr(0, end);
    if (name.ends_with('*')) {
      name.remove_suffix(1);
    } else if (const auto colon = name.find(':'); colon != name.npos) {
      const std::string_view length = name.substr(colon + 1);
      if (length.empty() || length.size() > 4 || length[0] == '0' ||
          !std::all_of(length.begin(), length.end(), is_digit))
        return false;
      name = name.substr(0, colon);
    }
    if (name.empty() || name.front() == '.' || name.back() == '.' || name.find("..") != name.npos) return false;
    for (std::size_t at = 0; at < name.size(); ++at) {
      const bool escape = name[at] == '%' && at + 2 < name.size() && is_hex(name[at + 1]) && is_hex(name[at + 2]);
      if (!escape && !is_letter(name[at]) && !is_digit(name[at]) && name[at] != '_' && name[at] != '.') return false;
      at += escape ? 2 : 0;
    }
    if (end == text.size()) return true;
    text.remove_prefix(end + 1);
  }
}

}  // namespace

bool is_uri(std::string_view text, bool relative_too, bool international) {
  if (const auto hash = text.find('#'); hash != text.npos) {
    if (!consists_of(text.substr(hash + 1), {":@/?", international})) return false;
    text = text.substr(0, hash);
  }
  if (const auto mark = text.find('?'); mark != text.npos) {
    if (!consists_of(text.substr(mark + 1), {":@/?", international})) return false;
    text = text.substr(0, mark);
  }
  const std::size_t scheme = scheme_size(text);
  if (scheme == 0) {
    if (!relative_too) return false;
    const auto slash = std::min(text.find('/'), text.size());
    if (text.substr(0, slash).find(':') != text.npos) return false;
  } else {
    text.remove_prefix(scheme + 1);
  }
  if (text.starts_with("//")) {
    const auto end = std::min(text.find('/', 2), text.size());
    if (!is_authority(text.substr(2, end - 2), international)) return false;
    text.remove_prefix(end);
  }
  return consists_of(text, {":@/", international});
}

bool is_uri_template(std::string_view text) {
  while (!text.empty()) {
    const char c = text[0];
    if (c == '{') {
      const auto close = text.find('}');
      if (close == text.npos || !is_expression(text.substr(1, close - 1))) return false;
      text.remove_prefix(close + 1);
      continue;
    }
    if (static_cast<unsigned char>(c) <= 0x20 || c == 0x7f ||
        std::string_view("\"<>\\^`|}").find(c) != std::string_view::npos)
      return false;
    if (c == '%' && (text.size() < 3 || !is_hex(text[1]) || !is_hex(text[2]))) return false;
    text.remove_prefix(c == '%' ? 3 : 1);
  }
  return true;
}

}  // namespace toolwire::schema
