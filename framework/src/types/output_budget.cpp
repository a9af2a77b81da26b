#include "toolwire/output_budget.hpp"

#include <algorithm>

#include "toolwire/text.hpp"
#include "types/lines.hpp"

namespace toolwire {
namespace {

using types::lines_in;
using types::newlines_in;

/// The end of the last whole line of the first `lines` lines within `bytes`; of a part of the first line if that alone
/// is longer.
std::size_t head_end(std::string_view text, std::size_t lines, std::size_t bytes) {
  std::size_t end = 0;
  for (std::size_t line = 0; line < lines && end < text.size(); ++line) {
    const std::size_t newline = text.find('\n', end);
    const std::size_t next = newline == std::string_view::npos ? text.size() : newline + 1;
    if (next > bytes) break;
    end = next;
  }
  return end > 0 || lines == 0 ? end : text::head(text, bytes).size();
}

std::size_t tail_begin(std::string_view text, std::size_t lines, std::size_t bytes) {
  std::size_t begin = text.size();
  for (std::size_t line = 0; line < lines && begin > 0; ++line) {
    const std::size_t newline = begin < 2 ? std::string_view::npos : text.rfind('\n', begin - 2);
    const std::size_t before = newline == std::string_view::npos ? 0 : newline + 1;
    if (text.size() - before > bytes) break;
    begin = before;
  }
  return begin < text.size() || lines == 0 ? begin : text.size() - text::tail(text, bytes).size();
}

std::string line_numbers(std::size_t first, std::size_t last) {
  if (first >= last) return "line " + std::to_string(first);
  return "lines " + std::to_string(first) + "-" + std::to_string(last);
}

bool cuts_line(std::string_view text, std::size_t at) { return at > 0 && at < text.size() && text[at - 1] != '\n'; }

/// Whether of one line both ends are shown.
bool is_in_one_line(std::string_view text, const TextCut& cut) {
  return cuts_line(text, cut.gap_begin) && cut.gap_end < text.size() &&
         newlines_in(text.substr(cut.gap_begin, cut.gap_end - cut.gap_begin)) == 0;
}

void end_line(std::string& text) {
  if (!text.empty() && text.back() != '\n') text += '\n';
}

}  // namespace

std::optional<TextCut> cut_for(std::string_view text, const OutputBudget& budget) {
  if (text.size() <= budget.bytes && (text.size() <= budget.lines || lines_in(text) <= budget.lines))
    return std::nullopt;
  TextCut cut{0, text.size(), lines_in(text), 0};
  const bool ends = budget.keep == KeptPart::ends;
  if (budget.keep != KeptPart::tail) {
    cut.gap_begin = head_end(text, ends ? budget.lines - budget.lines / 2 : budget.lines,
                             ends ? budget.bytes - budget.bytes / 2 : budget.bytes);
  }
  if (budget.keep != KeptPart::head) {
    const std::string_view rest = text.substr(cut.gap_begin);
    cut.gap_end = cut.gap_begin +
                  tail_begin(rest, ends ? budget.lines / 2 : budget.lines, ends ? budget.bytes / 2 : budget.bytes);
  }
  cut.shown_lines = lines_in(text.substr(0, cut.gap_begin)) + lines_in(text.substr(cut.gap_end));
  if (is_in_one_line(text, cut)) --cut.shown_lines;  // of which both parts were counted
  return cut;
}

std::string shown(std::string_view text, const TextCut& cut, std::string_view how, std::string_view advice) {
  const std::string_view gap = text.substr(cut.gap_begin, cut.gap_end - cut.gap_begin);
  const std::size_t first = newlines_in(text.substr(0, cut.gap_begin)) + 1;
  const std::size_t last = first + lines_in(gap) - (gap.empty() ? 0 : 1);
  std::string result(text.substr(0, cut.gap_begin));
  end_line(result);
  result += "[Not shown: " + line_numbers(first, last) + " of " + std::to_string(cut.lines);
  if (cuts_line(text, cut.gap_begin) || cuts_line(text, cut.gap_end)) result += " (in part)";
  result += ", " + std::to_string(gap.size()) + " of " + std::to_string(text.size()) + " bytes.";
  for (const std::string_view sentence : {how, advice}) {
    if (!sentence.empty()) result.append(" ").append(sentence);
  }
  result += ']';
  if (cut.gap_end < text.size()) result.append("\n").append(text.substr(cut.gap_end));
  return result;
}

}  // namespace toolwire
