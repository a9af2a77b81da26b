// Explains why a text is not found in another: shows lines that differ only in white space, so that the model need not
// read the file again. Independent of edits.
#pragma once

#include <string>
#include <string_view>

namespace workspace {

/// "is not in the file; …" with similar lines, if there are some.
std::string missing_text(std::string_view text, std::string_view wanted);

}  // namespace workspace
