#include "json/number.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <cstdint>
#include <stdexcept>
#include <string>

#include "json/writer.hpp"

namespace toolwire::json {
namespace {

constexpr double exponent_free_limit = 1e21;
constexpr double exact_as_int64 = 9007199254740992.0;  // 2^53: whole doubles below it print fastest as integers

template <class Number, class... Format>
void append(std::string& out, Number number, Format... format) {
  // NOLINTNEXTLINE(cppcoreguidelines-pro-type-member-init): written before it is read
  std::array<char, 32> room;  // the longest is -2.2250738585072014e-308 (24); fixed stays below 23
  const auto end = std::to_chars(room.data(), room.data() + room.size(), number, format...).ptr;
  out.append(room.data(), static_cast<std::size_t>(end - room.data()));
}

// Whether the first digit that counts stands after the point. from_chars reports "too large" and "too small" alike; the
// two cannot be mistaken for each other, as numbers near either end of the range are hundreds of digits apart.
bool is_tiny(std::string_view text) {
  const std::size_t exponent_at = text.find_first_of("eE");
  const std::string_view digits = text.substr(0, exponent_at);
  long long exponent = 0;
  if (exponent_at != std::string_view::npos) {
    const bool plus = text[exponent_at + 1] == '+';
    const char* const begin = text.data() + exponent_at + (plus ? 2 : 1);
    const auto read = std::from_chars(begin, text.data() + text.size(), exponent);
    if (read.ec != std::errc{}) return *begin == '-';
  }
  const std::size_t first = digits.find_first_of("123456789");
  if (first == std::string_view::npos) return true;
  const std::size_t point = std::min(digits.find('.'), digits.size());
  return static_cast<long long>(point) - static_cast<long long>(first) + exponent < 0;
}

}  // namespace

std::optional<double> nearest_double(std::string_view text) {
  double number = 0;
  const auto read = std::from_chars(text.data(), text.data() + text.size(), number);
  if (read.ec == std::errc{} && std::isfinite(number)) return number;
  if (!is_tiny(text)) return std::nullopt;
  return text.front() == '-' ? -0.0 : 0.0;
}

void write_integer(std::string& out, std::int64_t number) { append(out, number); }

void write_integer(std::string& out, std::uint64_t number) { append(out, number); }

void write_double(std::string& out, double number) {
  if (!std::isfinite(number)) {
    throw std::invalid_argument(std::isnan(number)
                                    ? "NaN cannot be written as JSON; expected a finite number"
                                    : "an infinite number cannot be written as JSON; expected a finite one");
  }
  const double size = std::fabs(number);
  if (size >= exponent_free_limit || std::trunc(number) != number) return append(out, number);
  if (number == 0 && std::signbit(number)) {
    out += "-0.0";
    return;
  }
  if (size < exact_as_int64) return append(out, static_cast<std::int64_t>(number));
  append(out, number, std::chars_format::fixed);
}

}  // namespace toolwire::json
