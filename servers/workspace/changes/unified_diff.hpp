// The difference between two texts, line by line, as `diff -u` shows it. Independent of files.
#pragma once

#include <string>
#include <string_view>

namespace workspace {

/// Empty if the texts are the same, else hunks with three lines of context below "--- a/PATH" and "+++ b/PATH". Takes
/// time and memory that are bounded however different the texts are: beyond 1000 differing lines the middle between
/// their common start and end counts as replaced.
std::string unified_diff(std::string_view path, std::string_view before, std::string_view after);

}  // namespace workspace
