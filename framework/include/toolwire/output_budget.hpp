// How much text of a tool's result a model is given, and which part of a longer one. Independent of tools and the wire.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>

namespace toolwire {

/// Which part is kept of a text that is too long: its beginning (lists, search results), its end (logs), or both ends
/// (output of commands, which say first what they do, and errors last).
enum class KeptPart { head, tail, ends };

/// Bounds of the text in one result, not counting the notice about what was cut. Whole lines are kept; only a line that
/// is longer than the budget is cut, between two characters.
struct OutputBudget {
  std::size_t lines = 2000;
  std::size_t bytes = 50u << 10;
  KeptPart keep = KeptPart::head;
  std::string advice = {};  // a sentence for the model at the end of the notice: "Narrow your query."
};

/// Which bytes of a text are shown: those before `gap_begin` and those from `gap_end` on.
struct TextCut {
  std::size_t gap_begin = 0;  // bytes from the start of the text, as gap_end
  std::size_t gap_end = 0;
  std::size_t lines = 0;        // of the whole text
  std::size_t shown_lines = 0;  // also those that are shown in part
};

/// Where to cut the text; no value if it is within the budget.
std::optional<TextCut> cut_for(std::string_view text, const OutputBudget& budget);

/// The text as the model reads it: what is kept and, in place of the rest, a line in square brackets that says what is
/// missing, then `how` to get it, then `advice` (sentences; both may be empty).
std::string shown(std::string_view text, const TextCut& cut, std::string_view how, std::string_view advice);

}  // namespace toolwire
