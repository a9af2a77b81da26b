// Where a line ends for a reader: before "\n" or "\r\n". Independent of files and searches.
#pragma once

#include <string_view>

namespace workspace {

/// Whether a pattern speaks of carriage returns, as an expression or as plain text; one that does not sees none at the
/// end of a line.
bool speaks_of_returns(std::string_view pattern, bool literal);

}  // namespace workspace
