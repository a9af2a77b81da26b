#include "http/ranges.hpp"

#include <algorithm>
#include <string_view>

#include <toolwire/http/detail/header_text.hpp>

namespace toolwire::bridge::http {
namespace {

bool is_number(std::string_view text) {
  return std::ranges::all_of(text, [](char one) { return one >= '0' && one <= '9'; });
}

/// Of numbers of any length.
bool is_larger(std::string_view left, std::string_view right) {
  left.remove_prefix(std::min(left.find_first_not_of('0'), left.size()));
  right.remove_prefix(std::min(right.find_first_not_of('0'), right.size()));
  return left.size() != right.size() ? left.size() > right.size() : left > right;
}

/// "0-99", "100-" or "-20" (RFC 9110 §14.1.2).
bool is_range(std::string_view text) {
  const std::size_t dash = text.find('-');
  if (dash == std::string_view::npos || text.size() == 1) return false;
  const std::string_view first = text.substr(0, dash);
  const std::string_view last = text.substr(dash + 1);
  return is_number(first) && is_number(last) && (first.empty() || last.empty() || !is_larger(first, last));
}

bool are_ranges(std::string_view list) {
  for (;;) {
    const std::size_t comma = list.find(',');
    if (!is_range(header_text::trimmed(list.substr(0, comma)))) return false;
    if (comma == std::string_view::npos) return true;
    list.remove_prefix(comma + 1);
  }
}

}  // namespace

std::optional<Answer> refused_range(const Request& request) {
  if (!request.has("range")) return {};
  constexpr std::string_view unit = "bytes=";
  const auto range = request.header("range");
  if (range && range->starts_with(unit) && are_ranges(range->substr(unit.size()))) return {};
  return error_answer(416, "expected a Range header such as bytes=0-99, or none");
}

}  // namespace toolwire::bridge::http
