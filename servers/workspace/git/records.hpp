// Takes apart what git prints. Independent of commands.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace workspace {

/// The parts of a text that each end in a NUL; the views are into `text`.
std::vector<std::string_view> records_of(std::string_view text);

/// The lines without their ends; the views are into `text`.
std::vector<std::string_view> lines_of(std::string_view text);

/// A path as git prints it: in quotes, with escapes as in C, where it has bytes that are not plain.
std::string unquoted(std::string_view path);

/// The path in "diff --git a/PATH b/PATH", where both are the same; empty if it is no such line.
std::string path_of_diff(std::string_view line);

}  // namespace workspace
