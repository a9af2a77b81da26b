// Parts of a file that are not ranges of lines: its end, and ranges of bytes. Credentials are masked unless secrets are
// shown. Independent of paths.
#pragma once

#include <cstdint>
#include <stop_token>
#include <string>

#include "workspace/reading/file_text.hpp"

namespace workspace {

struct TailRange {
  std::uint64_t count = 1;
  bool numbered = false;  // as in LineRange
};

/// The last lines, at most `count` and as many as the budget holds; of a single longer line its end. Throws ToolError
/// if the file is binary.
FileText file_tail(int descriptor, const TailRange& range, const std::stop_token& stop, TextBudget budget = {},
                   Secrets secrets = Secrets::left_out);

/// Bytes from `offset` (from 0) on, as text if the file is text in UTF-8, else as hexadecimal numbers with the
/// printable characters beside them. `next_offset` is where the next call continues. Throws ToolError if the range
/// begins behind the end.
FileText file_bytes_text(int descriptor, std::uint64_t offset, std::uint64_t limit, TextBudget budget = {},
                         Secrets secrets = Secrets::left_out);

}  // namespace workspace
