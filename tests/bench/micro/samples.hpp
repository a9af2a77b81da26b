// The requests and texts all micro-benchmarks work on: a small call and a large one.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace toolwire::micro {

/// What a text of a tool is made of: letters; every fifth character escaped; letters of two, three and four bytes.
enum class Letters { plain, escaped, wide };

inline constexpr std::size_t small = 64;
inline constexpr std::size_t large = std::size_t{1} << 20;

/// About `size` bytes in memory, before escaping.
inline std::string text_of(Letters letters, std::size_t size) {
  const std::string_view unit = letters == Letters::plain ? "the quick brown fox jumps over the lazy dog, "
                                : letters == Letters::escaped
                                    ? "line\n tab\t say\" two\\"
                                    : "Grüße, Ωμέγα, 日本語のテキスト, emoji 🙂🚀 ";
  std::string text;
  text.reserve(size + unit.size());
  while (text.size() < size) text.append(unit);
  if (letters == Letters::plain) text.resize(size);
  return text;
}

}  // namespace toolwire::micro
