#include "one_hunk.hpp"

#include <algorithm>
#include <cstddef>
#include <vector>

namespace toolwire::install {
namespace {

constexpr std::size_t context = 3;

using Lines = std::vector<std::string_view>;  // each with its line end, which the last may lack

Lines lines_of(std::string_view text) {
  Lines lines;
  while (!text.empty()) {
    lines.push_back(text.substr(0, std::min(text.find('\n'), text.size() - 1) + 1));
    text.remove_prefix(lines.back().size());
  }
  return lines;
}

void add(std::string& out, char sign, const Lines& lines, std::size_t begin, std::size_t end) {
  for (std::size_t i = begin; i < end; ++i) {
    (out += sign).append(lines[i]);
    if (!lines[i].ends_with('\n')) out += "\n\\ No newline at end of file\n";
  }
}

std::string range(std::size_t begin, std::size_t end) {
  return std::to_string(begin == end ? begin : begin + 1) + (end - begin == 1 ? "" : "," + std::to_string(end - begin));
}

}  // namespace

std::string one_hunk(std::string_view path, std::string_view before, std::string_view after) {
  if (before == after) return {};
  const Lines old = lines_of(before), now = lines_of(after);
  std::size_t same = 0, same_end = 0;
  const std::size_t shorter = std::min(old.size(), now.size());
  while (same < shorter && old[same] == now[same]) ++same;
  while (same_end < shorter - same && old[old.size() - 1 - same_end] == now[now.size() - 1 - same_end]) ++same_end;
  const std::size_t begin = same - std::min(same, context), behind = std::min(same_end, context);
  const std::size_t old_end = old.size() - same_end, now_end = now.size() - same_end;
  std::string out = "--- " + std::string(path) + "\n+++ " + std::string(path) + "\n@@ -" +
                    range(begin, old_end + behind) + " +" + range(begin, now_end + behind) + " @@\n";
  add(out, ' ', old, begin, same);
  add(out, '-', old, same, old_end);
  add(out, '+', now, same, now_end);
  add(out, ' ', old, old_end, old_end + behind);
  return out;
}

}  // namespace toolwire::install
