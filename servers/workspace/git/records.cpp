#include "workspace/git/records.hpp"

#include <cstddef>

#include "workspace/text/parts.hpp"

namespace workspace {
namespace {

bool is_octal(char c) { return c >= '0' && c <= '7'; }

char escaped(char c) {
  constexpr std::string_view letters = "abtnvfr", bytes = "\a\b\t\n\v\f\r";
  const std::size_t at = letters.find(c);
  return at == std::string_view::npos ? c : bytes[at];
}

}  // namespace

std::vector<std::string_view> records_of(std::string_view text) { return parts_of(text, '\0'); }

std::vector<std::string_view> lines_of(std::string_view text) { return parts_of(text, '\n'); }

std::string unquoted(std::string_view path) {
  if (path.size() < 2 || path.front() != '"' || path.back() != '"') return std::string(path);
  path = path.substr(1, path.size() - 2);
  std::string result;
  for (std::size_t i = 0; i < path.size(); ++i) {
    if (path[i] != '\\' || i + 1 == path.size()) {
      result += path[i];
    } else if (i + 3 < path.size() && is_octal(path[i + 1])) {
      result += static_cast<char>((path[i + 1] - '0') * 64 + (path[i + 2] - '0') * 8 + (path[i + 3] - '0'));
      i += 3;
    } else {
      result += escaped(path[++i]);
    }
  }
  return result;
}

std::string path_of_diff(std::string_view line) {
  constexpr std::string_view start = "diff --git ";
  if (!line.starts_with(start)) return {};
  line.remove_prefix(start.size());
  const std::string first = unquoted(line.substr(0, line.size() / 2));
  return first.starts_with("a/") ? first.substr(2) : std::string();
}

}  // namespace workspace
