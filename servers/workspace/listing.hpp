// The answer of list_files: the entries below a directory as lines, within the budget. Knows nothing of the protocol.
#pragma once

#include <stop_token>
#include <string>

#include "workspace/bounded_text.hpp"
#include "workspace/root.hpp"
#include "workspace/walk.hpp"

namespace workspace {

struct ListRequest {
  std::string path = ".";
  int depth = 2;
  std::string after = {};  // leaves out everything up to this path, as the notice of an earlier answer gave it
};

/// One line for each entry: its path from the root, a directory with a slash at its end, anything that is neither file
/// nor directory with its kind in parentheses. Throws ToolError if the path is not a directory.
std::string list_files(const Root& root, const ListRequest& request, const std::stop_token& stop,
                       TextBudget budget = {});

/// Adds what a walk left out to an answer, one notice for each reason.
void add_walk_notices(BoundedText& text, const WalkReport& report);

}  // namespace workspace
