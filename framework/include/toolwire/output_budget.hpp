// How much text of a tool's result a model is given, and which part of a longer one. Knows no tools and no wire.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>

namespace toolwire {

/// What is left of a text that is too long: its beginning (lists, search results), its end (logs), or both ends (output
/// of commands: what was done stands first, errors last).
enum class KeptPart { head, tail, ends };

/// Bounds of the text in one result, its notice not counted. Whole lines are kept; only a line that is longer than the
/// budget is cut, between two characters.
struct OutputBudget {
  std::size_t lines = 2000;
  std::size_t bytes = 50u << 10;
  KeptPart keep = KeptPart::head;
  std::string advice = {};  // a sentence for the model at the end of the notice: "Narrow your query."
};

/// Which bytes of a text are shown: those before `gap_begin` and those from `gap_end` on.
struct TextCut {
  std::size_t gap_begin = 0;
  std::size_t gap_end = 0;
  std::size_t lines = 0;        // of the whole text
  std::size_t shown_lines = 0;  // also those that are shown in part
};

/// Nothing if the text is within the budget.
std::optional<TextCut> cut_for(std::string_view text, const OutputBudget& budget);

/// The text as the model reads it: what is kept, and where the rest was, in square brackets on a line of its own, what
/// is missing, `how` to get it and some advice (sentences; may be empty).
std::string shown(std::string_view text, const TextCut& cut, std::string_view how, std::string_view advice);

}  // namespace toolwire
