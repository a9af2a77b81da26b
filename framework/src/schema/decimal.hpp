// `multipleOf`, exact on decimals: -3.3 is a multiple of 0.1, although neither is what a double holds. A double is
// treated as the shortest decimal that reads back as the same double. Independent of schemas.
#pragma once

#include <cstdint>

#include "toolwire/json.hpp"

namespace toolwire::schema {

/// coefficient × 10^exponent. Without sign, which does not matter for divisibility.
struct Decimal {
  std::uint64_t coefficient = 0;
  int exponent = 0;
};

Decimal to_decimal(double number);

/// A positive number that others are to be multiples of.
class Divisor {
 public:
  Divisor() = default;
  explicit Divisor(const Json& number);

  bool divides(std::int64_t number) const;
  bool divides(std::uint64_t number) const;
  bool divides(double number) const;

 private:
  bool divides(Decimal number) const;

  Decimal decimal_;
  std::uint64_t whole_ = 0;  // the divisor itself where it is an integer of 64 bits
  double scale_ =
      0;  // 10^digits where the divisor is coefficient / 10^digits with few digits: the quick way for doubles
};

}  // namespace toolwire::schema
