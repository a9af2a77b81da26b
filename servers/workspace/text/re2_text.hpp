#pragma once

#include <re2/re2.h>

#include <string_view>

namespace workspace {

/// The same bytes as RE2 takes them: by its version that is a class of its own or Abseil's, which std's need not turn
/// into.
inline re2::StringPiece re2_text(std::string_view text) { return {text.data(), text.size()}; }

}  // namespace workspace
