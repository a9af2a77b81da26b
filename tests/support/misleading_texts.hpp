// Texts in which something hides, with what a reader is to get instead, for each place that shows a stranger's text.
#pragma once

#include <array>
#include <string_view>

namespace toolwire::tests {

struct MisleadingText {
  std::string_view what;
  std::string_view bytes;
  std::string_view visible;
  std::string_view stripped;
};

// NOLINTBEGIN(misc-misleading-bidirectional): their subject
inline constexpr std::array misleading_texts{
    MisleadingText{"tag characters", "a\U000E0069\U000E0067z", "a\\u{E0069}\\u{E0067}z", "az"},
    MisleadingText{"marks of writing direction", "a\u202Etxt\u2066z\u061C", "a\\u{202E}txt\\u{2066}z\\u{61C}", "atxtz"},
    MisleadingText{"a joiner inside of an emoji, which is kept", "a\U0001F469\u200D\U0001F4BB\u2764\uFE0Fz",
                   "a\U0001F469\u200D\U0001F4BB\u2764\uFE0Fz", "a\U0001F469\u200D\U0001F4BB\u2764\uFE0Fz"},
    MisleadingText{"variation selectors", "a\uFE0Fb\U000E0100z", "a\\u{FE0F}b\\u{E0100}z", "abz"},
    MisleadingText{"OSC 52", "a\x1b]52;c;ZXZpbA==\x07z", "a\\u{1B}]52;c;ZXZpbA==\\u{7}z", "az"},
    MisleadingText{"control sequences of 7 and of 8 bits", "a\x1b[2Jb\u009b31mz", "a\\u{1B}[2Jb\\u{9B}31mz", "abz"},
    MisleadingText{"bytes that are not UTF-8", "a\xFFz\xE2\x80", "a\\xFFz\\xE2\\x80", "a\uFFFDz\uFFFD"},
    MisleadingText{"characters without width", "a\u200Bb\u200Dc\u200Cd\uFEFFz",
                   "a\\u{200B}b\\u{200D}c\\u{200C}d\\u{FEFF}z", "abcdz"},
};
// NOLINTEND(misc-misleading-bidirectional)

}  // namespace toolwire::tests
