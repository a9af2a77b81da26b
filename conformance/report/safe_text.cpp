#include "report/safe_text.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <vector>

#include <toolwire/text.hpp>

namespace toolwire::conformance {
namespace {

constexpr std::string_view plain_in_a_shell =
    "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-./:=,@+%";

}  // namespace

std::string shortened(std::string_view text, std::size_t max_bytes) {
  if (text.size() <= max_bytes) return std::string(text);
  const std::string_view head = text::head(text, max_bytes);
  return fmt::format("{}… ({} bytes more)", head, text.size() - head.size());
}

std::string excerpt(std::string_view text, std::size_t max_lines, std::size_t max_width) {
  std::vector<std::string_view> lines;
  while (!text.empty()) {
    const std::size_t end = std::min(text.find('\n'), text.size());
    lines.push_back(text.substr(0, end));
    text.remove_prefix(std::min(end + 1, text.size()));
  }
  std::string out;
  const std::size_t first = max_lines / 2;
  const std::size_t last = lines.size() > max_lines ? lines.size() - (max_lines - first) : first;
  for (std::size_t i = 0; i < lines.size(); ++i) {
    if (i == first && last > first) {
      out += fmt::format("… {} lines left out …\n", last - first);
      i = last;
    }
    out += text::visible(shortened(lines[i], max_width), {.tabs = true}) + "\n";
  }
  return out;
}

std::string shell_word(std::string_view text) {
  if (!text.empty() && text.find_first_not_of(plain_in_a_shell) == std::string_view::npos) return std::string(text);
  std::string out = "'";
  for (const char c : text) c == '\'' ? out += "'\\''" : out += c;
  return out + "'";
}

}  // namespace toolwire::conformance
