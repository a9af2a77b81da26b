// A range of lines of one open text file, within a budget. Knows nothing of paths or of how the file was opened.
#pragma once

#include <cstdint>
#include <stop_token>
#include <string>

#include "workspace/bounded_text.hpp"

namespace workspace {

struct LineRange {
  std::uint64_t offset = 1;    // first line, from 1
  std::uint64_t limit = 2000;  // lines at most
  std::uint64_t column = 1;    // byte of the first line to begin at, from 1: how to read a line larger than the budget
};

/// Lines before the range are looked for within so many bytes; a file may be sparse and have a terabyte.
inline constexpr std::uint64_t most_bytes_skipped = 256ULL << 20;

/// The lines, and a notice in brackets that says how to go on if there are more. Throws ToolError if the file is binary
/// (a NUL in the first 8 KiB), the range begins behind its end, or reading fails. A stop request ends it early.
std::string file_text(int descriptor, const LineRange& range, const std::stop_token& stop, TextBudget budget = {});

}  // namespace workspace
