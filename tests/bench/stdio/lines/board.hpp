// The performance targets of a server: what each requires, what was measured, and whether it is met. Independent of how
// anything is measured.
#pragma once

#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace toolwire::bench {

enum class Bound { at_most, at_least, none };

/// One line of the table. The texts are literals.
struct Line {
  std::string_view name;  ///< what --line takes
  std::string_view text;
  Bound bound = Bound::none;
  double limit = 0;
  std::string_view unit = {};  ///< of limit and value: "x", "ms", "MB"
};

using Figures = std::vector<std::pair<std::string, double>>;

/// What the rounds have found. The value of a line is the median of its rounds, and so is each figure beside it.
/// One thread.
class Board {
 public:
  /// One round's value, and the figures it comes from with their unit in the name ("raw us").
  void add(std::string_view line, double value, const Figures& figures);
  /// Why a line could not be measured.
  void note(std::string text);

  /// The table of those `lines` that were measured, and the notes below it.
  std::string table(const std::vector<Line>& lines) const;
  /// The same for programs, with every round's value.
  std::string json(const std::vector<Line>& lines) const;
  bool complete() const { return notes_.empty(); }

 private:
  struct Entry {
    std::string line;
    std::vector<double> values;
    std::vector<std::pair<std::string, std::vector<double>>> figures;
  };
  Entry& entry(std::string_view line);
  const Entry* find(std::string_view line) const;

  std::vector<Entry> entries_;
  std::vector<std::string> notes_;
};

}  // namespace toolwire::bench
