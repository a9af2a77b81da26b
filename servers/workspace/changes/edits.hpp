// Replaces pieces of a text that are identified by their content: all or none, and each only if it is unambiguous.
// Independent of files.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace workspace {

struct TextEdit {
  std::string old_text;
  std::string new_text;
  bool all = false;  // every place where the old text stands, instead of the only one
};

struct Edited {
  std::string text;
  std::size_t places = 0;      // that were replaced
  std::size_t first_line = 1;  // of the first of them, from 1
};

/// Every old text is looked for in the original `text`, so the order of edits does not matter; they may not overlap. A
/// line end of an old text without carriage returns fits LF and CRLF, as they may stand there side by side; the new
/// text then gets those of what it replaces, or of the lines around it, unless it has returns itself. Throws ToolError
/// naming the edit, saying whether the old text is missing (and what is similar) or occurs more than once (and where).
/// `shown`: the text as callers know it, of the same size; what differs in it cannot be found or replaced. Empty:
/// `text`.
Edited apply_edits(std::string_view text, const std::vector<TextEdit>& edits, std::string_view shown = {});

}  // namespace workspace
