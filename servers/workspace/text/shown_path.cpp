#include "workspace/text/shown_path.hpp"

#include <charconv>
#include <optional>
#include <toolwire/text.hpp>

namespace workspace {
namespace {

struct Escape {
  std::size_t length;
  std::string meant;
};

std::optional<unsigned> hexadecimal(std::string_view digits) {
  unsigned value = 0;
  const char* const end = digits.data() + digits.size();
  const auto [rest, error] = std::from_chars(digits.data(), end, value, 16);
  return !digits.empty() && error == std::errc{} && rest == end ? std::optional(value) : std::nullopt;
}

/// "\xFF": a byte that is not ASCII.
std::optional<Escape> escaped_byte(std::string_view text) {
  const std::optional<unsigned> byte = text.size() < 4 ? std::nullopt : hexadecimal(text.substr(2, 2));
  if (!byte || *byte < 0x80) return std::nullopt;
  return Escape{4, std::string(1, static_cast<char>(*byte))};
}

/// "\u{202E}": a character.
std::optional<Escape> escaped_character(std::string_view text) {
  const std::size_t close = text.substr(0, 10).find('}');
  const std::optional<unsigned> code =
      close == std::string_view::npos ? std::nullopt : hexadecimal(text.substr(3, close - 3));
  if (!code || *code > 0x10FFFF || (*code >= 0xD800 && *code < 0xE000)) return std::nullopt;
  Escape escape{close + 1, {}};
  toolwire::text::append_character(escape.meant, *code);
  return escape;
}

std::optional<Escape> escape_at_front(std::string_view text) {
  if (text.starts_with("\\x")) return escaped_byte(text);
  return text.starts_with("\\u{") ? escaped_character(text) : std::nullopt;
}

/// What is shown of a byte that `toolwire::text::visible` leaves as it is, or writes in a way `path_meant` cannot tell
/// from a backslash and a letter; empty for all others.
std::string_view escape_of(std::string_view path, std::size_t at) {
  switch (path[at]) {
    case '\n':
      return "\\u{A}";
    case '\r':
      return "\\u{D}";
    case '\t':
      return "\\u{9}";
    case ' ':
      return at == 0 || at + 1 == path.size() ? "\\u{20}" : "";
    case '\\':
      return escape_at_front(path.substr(at)) ? "\\u{5C}" : "";
    default:
      return "";
  }
}

}  // namespace

std::string shown_path(std::string_view path, std::size_t most) {
  if (path.empty()) return "\"\"";
  std::string escaped;
  for (std::size_t at = 0; at < path.size(); ++at) {
    const std::string_view escape = escape_of(path, at);
    escaped.append(escape.empty() ? path.substr(at, 1) : escape);
  }
  const std::string shown = toolwire::text::visible(escaped);
  return shown.size() <= most ? shown : std::string(toolwire::text::head(shown, most)) + "...";
}

std::string path_meant(std::string_view shown) {
  std::string path;
  while (!shown.empty()) {
    const std::optional<Escape> escape = escape_at_front(shown);
    path += escape ? escape->meant : std::string(1, shown.front());
    shown.remove_prefix(escape ? escape->length : 1);
  }
  return path;
}

}  // namespace workspace
