// Parts of a file that are not ranges of lines: its end, and ranges of bytes. Knows nothing of paths.
#pragma once

#include <cstdint>
#include <stop_token>
#include <string>

#include "workspace/reading/file_text.hpp"

namespace workspace {

/// The last lines, at most `count` and as many as the budget holds; of a single longer line its end. Throws ToolError
/// if the file is binary.
FileText file_tail(int descriptor, std::uint64_t count, const std::stop_token& stop, TextBudget budget = {});

/// Bytes from `offset` (from 0) on, as text if the file is text in UTF-8, else as hexadecimal numbers beside what is
/// printable. `next_offset` is that of the byte to go on with. Throws ToolError if the range begins behind the end.
FileText file_bytes_text(int descriptor, std::uint64_t offset, std::uint64_t limit, TextBudget budget = {});

}  // namespace workspace
