#include "json/surrogates.hpp"

#include <charconv>

namespace toolwire::json {
namespace {

constexpr std::size_t escape_length = 6;  // \uXXXX

enum class Half { none, high, low };

Half half_at(std::string_view text, std::size_t at) {
  if (text.size() - at < escape_length || text[at] != '\\' || text[at + 1] != 'u') return Half::none;
  unsigned unit = 0;
  const char* const end = text.data() + at + escape_length;
  if (std::from_chars(text.data() + at + 2, end, unit, 16).ptr != end) return Half::none;
  if (unit >= 0xD800 && unit <= 0xDBFF) return Half::high;
  return unit >= 0xDC00 && unit <= 0xDFFF ? Half::low : Half::none;
}

}  // namespace

std::optional<std::string> without_lone_surrogates(std::string_view text) {
  std::optional<std::string> copy;
  std::size_t at = text.find('\\');
  while (at < text.size()) {
    const Half half = half_at(text, at);
    std::size_t length = 2;
    if (half == Half::high && half_at(text, at + escape_length) == Half::low) {
      length = 2 * escape_length;
    } else if (half != Half::none) {
      if (!copy) copy.emplace(text);
      copy->replace(at, escape_length, "\\ufffd");
      length = escape_length;
    }
    at = at + length < text.size() ? text.find('\\', at + length) : text.size();
  }
  return copy;
}

}  // namespace toolwire::json
