#include "workspace/commands/kept_output.hpp"

#include <algorithm>
#include <toolwire/text.hpp>

#include "workspace/text/credentials.hpp"

namespace workspace {
namespace {

std::string_view without_prefix(std::string_view text, std::uint64_t size) {
  return text.substr(std::min<std::uint64_t>(size, text.size()));
}

std::uint64_t line_feeds_in(std::string_view text) {
  return static_cast<std::uint64_t>(std::count(text.begin(), text.end(), '\n'));
}

/// What a terminal would show of a line with returns in it.
std::string_view last_form(std::string_view line) {
  if (line.ends_with('\r')) line.remove_suffix(1);
  return line.substr(line.rfind('\r') + 1);
}

std::string readable(std::string_view bytes) {
  std::string text;
  while (!bytes.empty()) {
    const std::size_t end = std::min(bytes.find('\n'), bytes.size());
    text += last_form(bytes.substr(0, end));
    if (end < bytes.size()) text += '\n';
    bytes.remove_prefix(std::min(end + 1, bytes.size()));
  }
  text = toolwire::text::stripped(text, toolwire::text::lines);
  mask_credentials(text);
  return text;
}

/// Whole lines, the first if there is no whole one in part.
std::string_view first_lines(std::string_view text, TextBudget budget) {
  std::size_t end = 0;
  for (std::size_t lines = 0; lines < budget.lines && end < text.size(); ++lines) {
    const std::size_t feed = text.find('\n', end);
    const std::size_t next = feed == std::string_view::npos ? text.size() : feed + 1;
    if (next > budget.bytes) return end == 0 ? toolwire::text::head(text, budget.bytes) : text.substr(0, end);
    end = next;
  }
  return text.substr(0, end);
}

std::string_view last_lines(std::string_view text, TextBudget budget) {
  std::size_t begin = text.size();
  for (std::size_t lines = 0; lines < budget.lines && begin > 0; ++lines) {
    const std::size_t feed = begin < 2 ? std::string_view::npos : text.rfind('\n', begin - 2);
    const std::size_t next = feed == std::string_view::npos ? 0 : feed + 1;
    if (text.size() - next > budget.bytes)
      return begin == text.size() ? toolwire::text::tail(text, budget.bytes) : text.substr(begin);
    begin = next;
  }
  return text.substr(begin);
}

bool is_within(std::string_view text, TextBudget budget) {
  return text.size() <= budget.bytes && line_feeds_in(text) <= budget.lines;
}

std::string gap_line(std::uint64_t bytes, std::uint64_t lines, bool has_unkept) {
  std::string text = "[... " + std::to_string(bytes) + " bytes were left out here";
  if (!has_unkept) text += ", " + counted(lines, "line", "lines");
  return text + " ...]\n";
}

}  // namespace

void KeptOutput::append(std::string_view bytes) {
  size_ += bytes.size();
  lines_ += line_feeds_in(bytes);
  const std::size_t to_head = std::min(most_head_ - head_.size(), bytes.size());
  head_ += bytes.substr(0, to_head);
  bytes.remove_prefix(to_head);
  if (bytes.size() > most_tail_) tail_.clear();
  tail_ += bytes.substr(bytes.size() - std::min(bytes.size(), most_tail_));
  if (tail_.size() > 2 * most_tail_) tail_.erase(0, tail_.size() - most_tail_);
}

KeptOutput::Parts KeptOutput::from(std::uint64_t offset) const {
  const std::uint64_t tail_begin = size_ - tail_.size();
  if (offset >= tail_begin) return {.before = without_prefix(tail_, offset - tail_begin)};
  const std::string_view head = without_prefix(head_, offset);
  return {.before = head, .behind = tail_, .missing = tail_begin - std::max<std::uint64_t>(head_.size(), offset)};
}

std::size_t begun_character(std::string_view text) {
  constexpr std::size_t longest = 4;
  for (std::size_t size = 1; size < longest && size <= text.size(); ++size) {
    const auto byte = static_cast<unsigned char>(text[text.size() - size]);
    if (byte < 0x80) return 0;
    if (byte < 0xC0) continue;
    const std::size_t whole = byte < 0xE0 ? 2 : byte < 0xF0 ? 3 : byte < 0xF8 ? 4 : 1;
    return size < whole ? size : 0;
  }
  return 0;
}

std::string shown_output(const KeptOutput::Parts& output, TextBudget budget) {
  std::string before, behind;
  if (output.missing == 0) {
    before = readable(std::string(output.before) + std::string(output.behind));
    if (is_within(before, budget)) return before;
    behind = before;
  } else {
    before = readable(output.before);
    behind = readable(output.behind);
  }
  const TextBudget half{budget.lines / 2, budget.bytes / 2};
  const std::string_view first = first_lines(before, half), last = last_lines(behind, half);
  std::uint64_t bytes = output.missing, lines = 0;
  if (output.missing == 0) {
    bytes = before.size() - first.size() - last.size();
    lines = line_feeds_in(before) - line_feeds_in(first) - line_feeds_in(last);
  } else {
    bytes += before.size() - first.size() + behind.size() - last.size();
  }
  std::string text{first};
  if (!text.empty() && text.back() != '\n') text += '\n';
  return text + gap_line(bytes, lines, output.missing != 0) + std::string(last);
}

}  // namespace workspace
