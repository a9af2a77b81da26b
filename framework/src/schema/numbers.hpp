// Numbers of JSON compared exactly, whichever of int64, uint64 and double holds them. Independent of schemas except for
// the interval that minimum, maximum and their exclusive forms describe.
#pragma once

#include <cstdint>
#include <limits>

#include "toolwire/json.hpp"

namespace toolwire::schema {

/// -1, 0 or 1. Both values must be numbers; NaN, which no JSON text holds, counts as greater than all.
int compare_numbers(const Json& left, const Json& right);

/// Whether a double is an integer; infinities and NaN are not.
inline bool is_whole(double number) {
  const double magnitude = number < 0 ? -number : number;
  // From 2^52 on every double is whole.
  if (!(magnitude < 4503599627370496.0)) return magnitude <= std::numeric_limits<double>::max();
  return static_cast<double>(static_cast<std::int64_t>(number)) == number;
}

/// An interval, once for each way a number is held, all ends included: comparing is exact and needs no conversion.
struct NumberRange {
  std::int64_t signed_low = std::numeric_limits<std::int64_t>::min();
  std::int64_t signed_high = std::numeric_limits<std::int64_t>::max();
  std::uint64_t unsigned_low = 0;
  std::uint64_t unsigned_high = std::numeric_limits<std::uint64_t>::max();
  double double_low = -std::numeric_limits<double>::infinity();
  double double_high = std::numeric_limits<double>::infinity();

  void at_least(const Json& bound, bool excluded);
  void at_most(const Json& bound, bool excluded);

  bool contains(std::int64_t number) const { return signed_low <= number && number <= signed_high; }
  bool contains(std::uint64_t number) const { return unsigned_low <= number && number <= unsigned_high; }
  bool contains(double number) const { return double_low <= number && number <= double_high; }
};

}  // namespace toolwire::schema
