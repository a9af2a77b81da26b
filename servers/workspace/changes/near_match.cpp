#include "workspace/changes/near_match.hpp"

#include <cstddef>
#include <vector>

#include "workspace/text/utf8.hpp"

namespace workspace {
namespace {

constexpr std::size_t max_shown_bytes = 1500;

std::string_view trimmed(std::string_view line) {
  constexpr std::string_view space = " \t\r\v\f";
  const std::size_t begin = line.find_first_not_of(space);
  if (begin == std::string_view::npos) return {};
  return line.substr(begin, line.find_last_not_of(space) + 1 - begin);
}

std::vector<std::string_view> lines_of(std::string_view text) {
  std::vector<std::string_view> lines;
  while (!text.empty()) {
    const std::size_t newline = text.find('\n');
    lines.push_back(text.substr(0, newline));
    text.remove_prefix(newline == std::string_view::npos ? text.size() : newline + 1);
  }
  return lines;
}

bool reads_alike(const std::vector<std::string_view>& lines, std::size_t from,
                 const std::vector<std::string_view>& wanted) {
  for (std::size_t i = 0; i < wanted.size(); ++i)
    if (trimmed(lines[from + i]) != trimmed(wanted[i])) return false;
  return true;
}

bool is_blank(const std::vector<std::string_view>& lines) {
  for (const std::string_view line : lines)
    if (!trimmed(line).empty()) return false;
  return true;
}

std::string shown(const std::vector<std::string_view>& lines, std::size_t from, std::size_t count) {
  const std::string_view first = lines[from];
  const std::string_view last = lines[from + count - 1];
  const std::string_view all{first.data(), static_cast<std::size_t>(last.data() - first.data()) + last.size()};
  return valid_utf8_prefix(all, max_shown_bytes).text;
}

}  // namespace

std::string missing_text(std::string_view text, std::string_view wanted) {
  const std::string start = "is not in the file";
  const std::vector<std::string_view> lines = lines_of(text);
  const std::vector<std::string_view> wanted_lines = lines_of(wanted);
  for (std::size_t i = 0; !is_blank(wanted_lines) && i + wanted_lines.size() <= lines.size(); ++i) {
    if (!reads_alike(lines, i, wanted_lines)) continue;
    return start + "; from line " + std::to_string(i + 1) +
           " on the same stands there with other white space. Give it exactly as it is:\n" +
           shown(lines, i, wanted_lines.size());
  }
  return start + "; read the file and give the text exactly as it stands there, white space included";
}

}  // namespace workspace
