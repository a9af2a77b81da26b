#include "workspace/changes/unified_diff.hpp"

#include <algorithm>
#include <cstddef>
#include <vector>

namespace workspace {
namespace {

constexpr std::size_t context = 3;
constexpr int max_differences = 1000;

using Lines = std::vector<std::string_view>;  // each with its newline, which the last may lack

Lines lines_of(std::string_view text) {
  Lines lines;
  while (!text.empty()) {
    const std::size_t newline = text.find('\n');
    const std::size_t length = newline == std::string_view::npos ? text.size() : newline + 1;
    lines.push_back(text.substr(0, length));
    text.remove_prefix(length);
  }
  return lines;
}

// Lines [before, before + removed) are replaced by [after, after + added).
struct Change {
  std::size_t before = 0, removed = 0, after = 0, added = 0;
};

// The shortest way from one list of lines to the other (Myers 1986), within a bound on its length.
class ShortestEdit {
 public:
  ShortestEdit(const Lines& a, const Lines& b, std::size_t begin, std::size_t a_end, std::size_t b_end)
      : a_(a), b_(b), begin_(begin), n_(static_cast<int>(a_end - begin)), m_(static_cast<int>(b_end - begin)) {}

  std::vector<Change> changes() {
    const int steps = search();
    if (steps < 0) {
      return {{begin_, static_cast<std::size_t>(n_), begin_, static_cast<std::size_t>(m_)}};
    }
    return trace_back(steps);
  }

 private:
  // The place of diagonal k among those that begin with -offset.
  static std::size_t place(int k, int offset) { return static_cast<std::size_t>(k) + static_cast<std::size_t>(offset); }

  int at(const std::vector<int>& reach, int k) const { return reach[place(k, offset_)]; }

  bool is_same(int x, int y) const {
    return a_[begin_ + static_cast<std::size_t>(x)] == b_[begin_ + static_cast<std::size_t>(y)];
  }

  // True if diagonal k is reached by going down (adding a line) rather than right (removing one).
  bool goes_down(const std::vector<int>& reach, int d, int k) const {
    return k == -d || (k != d && at(reach, k - 1) < at(reach, k + 1));
  }

  // How many lines differ; -1 beyond the bound. history_[d] is how far each diagonal got with d - 1 differences.
  int search() {
    offset_ = std::min(n_ + m_, max_differences) + 1;
    std::vector<int> reach(static_cast<std::size_t>(2 * offset_ + 1), 0);
    for (int d = 0; d <= std::min(n_ + m_, max_differences); ++d) {
      history_.emplace_back(reach.begin() + (offset_ - d - 1), reach.begin() + (offset_ + d + 2));
      for (int k = -d; k <= d; k += 2) {
        int x = goes_down(reach, d, k) ? at(reach, k + 1) : at(reach, k - 1) + 1;
        while (x < n_ && x - k < m_ && x - k >= 0 && is_same(x, x - k)) ++x;
        reach[place(k, offset_)] = x;
        if (x >= n_ && x - k >= m_) return d;
      }
    }
    return -1;
  }

  std::vector<Change> trace_back(int steps) const {
    std::vector<Change> changes;
    int x = n_, y = m_;
    for (int d = steps; d > 0; --d) {
      const std::vector<int>& reach = history_[static_cast<std::size_t>(d)];
      const auto far = [&](int k) { return reach[place(k, d + 1)]; };
      const int k = x - y;
      const bool down = k == -d || (k != d && far(k - 1) < far(k + 1));
      const int from_k = down ? k + 1 : k - 1;
      x = far(from_k);
      y = x - from_k;
      const std::size_t before = begin_ + static_cast<std::size_t>(x), after = begin_ + static_cast<std::size_t>(y);
      changes.push_back({before, down ? 0U : 1U, after, down ? 1U : 0U});
    }
    std::reverse(changes.begin(), changes.end());
    return changes;
  }

  const Lines& a_;
  const Lines& b_;
  std::size_t begin_;
  int n_, m_;
  int offset_ = 0;
  std::vector<std::vector<int>> history_;
};

std::vector<Change> changes_between(const Lines& a, const Lines& b) {
  std::size_t begin = 0;
  while (begin < a.size() && begin < b.size() && a[begin] == b[begin]) ++begin;
  std::size_t a_end = a.size(), b_end = b.size();
  while (a_end > begin && b_end > begin && a[a_end - 1] == b[b_end - 1]) --a_end, --b_end;
  if (a_end == begin && b_end == begin) return {};
  return ShortestEdit{a, b, begin, a_end, b_end}.changes();
}

void add_line(std::string& out, char sign, std::string_view line) {
  out += sign;
  out += line;
  if (!line.ends_with('\n')) out += "\n\\ No newline at end of file\n";
}

std::string range(std::size_t begin, std::size_t count) {
  const std::size_t first = count == 0 ? begin : begin + 1;
  return std::to_string(first) + (count == 1 ? "" : "," + std::to_string(count));
}

// Changes [first, last) with their context, as one hunk.
void add_hunk(std::string& out, const Lines& a, const Lines& b, const Change* first, const Change* last) {
  const std::size_t begin = first->before - std::min(first->before, context);
  const Change& final = *(last - 1);
  const std::size_t end = std::min(final.before + final.removed + context, a.size());
  const std::size_t b_begin = first->after - (first->before - begin);
  const std::size_t b_end = final.after + final.added + (end - final.before - final.removed);
  out += "@@ -" + range(begin, end - begin) + " +" + range(b_begin, b_end - b_begin) + " @@\n";
  std::size_t at = begin;
  for (const Change* change = first; change != last; ++change) {
    for (; at < change->before; ++at) add_line(out, ' ', a[at]);
    for (std::size_t i = 0; i < change->removed; ++i) add_line(out, '-', a[at++]);
    for (std::size_t i = 0; i < change->added; ++i) add_line(out, '+', b[change->after + i]);
  }
  for (; at < end; ++at) add_line(out, ' ', a[at]);
}

// Removals and additions that touch, as one change: all that goes, then all that comes.
std::vector<Change> joined(const std::vector<Change>& changes) {
  std::vector<Change> result;
  for (const Change& change : changes) {
    if (!result.empty() && result.back().before + result.back().removed == change.before &&
        result.back().after + result.back().added == change.after) {
      result.back().removed += change.removed;
      result.back().added += change.added;
    } else {
      result.push_back(change);
    }
  }
  return result;
}

}  // namespace

std::string unified_diff(std::string_view path, std::string_view before, std::string_view after) {
  const Lines a = lines_of(before), b = lines_of(after);
  const std::vector<Change> changes = joined(changes_between(a, b));
  if (changes.empty()) return {};
  std::string out = "--- a/" + std::string(path) + "\n+++ b/" + std::string(path) + '\n';
  const Change* const end = changes.data() + changes.size();
  for (const Change* first = changes.data(); first != end;) {
    const Change* last = first + 1;
    while (last != end && last->before <= (last - 1)->before + (last - 1)->removed + 2 * context) ++last;
    add_hunk(out, a, b, first, last);
    first = last;
  }
  return out;
}

}  // namespace workspace
