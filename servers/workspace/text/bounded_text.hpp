// The text of a tool's answer, kept within a budget: whole lines are added until one does not fit, then a notice says
// what is missing. Independent of where the lines come from; the caller words the notice, because only it knows how to
// continue.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

namespace workspace {

/// What an answer may hold, its notices not counted (each of those is one short line).
struct TextBudget {
  std::size_t lines = 2000;
  std::size_t bytes = std::size_t{50} * 1024;
};

/// Collects lines; each is made valid UTF-8 on the way in. Lives within one call; one thread.
class BoundedText {
 public:
  explicit BoundedText(TextBudget budget = {}) : budget_(budget) {}

  /// Adds a line (without its newline). False if it does not fit; then nothing is added, and nothing will be after it.
  bool add_line(std::string_view line);

  /// Adds as much of an over-long line as fits and closes the text. Returns how many bytes of `line` that stands for.
  std::size_t add_part_of_line(std::string_view line);

  bool is_full() const { return full_; }
  bool is_empty() const { return lines_ == 0; }
  std::size_t lines() const { return lines_; }
  const TextBudget& budget() const { return budget_; }

  /// Adds one line in square brackets below the text; not counted against the budget.
  void notice(std::string_view text);

  /// The lines without the notices; the last has no newline.
  std::string lines_text() const;

  /// The lines, each ended by a newline, and the notices; the last line has no newline.
  std::string text() const;

 private:
  TextBudget budget_;
  std::string text_;
  std::string notices_;
  std::size_t lines_ = 0;
  bool full_ = false;
};

/// "1 entry", "2 entries".
std::string counted(std::uint64_t number, std::string_view one, std::string_view many);

}  // namespace workspace
