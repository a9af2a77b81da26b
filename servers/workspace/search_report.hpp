// The answer of search_text: matching lines of the files below a path, within the budget. Knows nothing of the
// protocol.
#pragma once

#include <cstdint>
#include <functional>
#include <stop_token>
#include <string>

#include "workspace/bounded_text.hpp"
#include "workspace/root.hpp"

namespace workspace {

struct SearchRequest {
  std::string pattern;
  std::string path = ".";
  std::string glob = {};
  bool ignore_case = false;
  bool literal = false;
  std::uint64_t limit = 200;  // matching lines at most
  std::string after = {};     // "path:line" of the last match of an earlier answer
};

/// Told now and then how many files have been searched.
using SearchProgress = std::function<void(std::uint64_t files)>;

/// One line "path:line: text" for each matching line, in the order of a walk; a long line is shown around its match.
/// Files with a NUL within their first 8 KiB are skipped. Throws ToolError for a bad pattern, glob, path or `after`.
std::string search_text(const Root& root, const SearchRequest& request, const std::stop_token& stop,
                        const SearchProgress& progress, TextBudget budget = {});

}  // namespace workspace
