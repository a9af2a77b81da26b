// Why a text is not found in another: where the same lines are that differ only in white space, so that the model need
// not read the file again. Independent of edits.
#pragma once

#include <string>
#include <string_view>

namespace workspace {

/// "is not in the file; …" with lines that come near and how they read, if there are some.
std::string missing_text(std::string_view text, std::string_view wanted);

}  // namespace workspace
