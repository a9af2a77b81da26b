#include "schema/decimal.hpp"

#include <array>
#include <charconv>
#include <cmath>

namespace toolwire::schema {
namespace {

__extension__ using Wide = unsigned __int128;

constexpr std::array<double, 16> powers_of_ten = {1e0, 1e1, 1e2,  1e3,  1e4,  1e5,  1e6,  1e7,
                                                  1e8, 1e9, 1e10, 1e11, 1e12, 1e13, 1e14, 1e15};

std::uint64_t power_modulo(unsigned exponent, std::uint64_t modulus) {
  Wide result = 1 % modulus;
  Wide base = 10 % modulus;
  for (; exponent != 0; exponent >>= 1) {
    if (exponent & 1U) result = result * base % modulus;
    base = base * base % modulus;
  }
  return static_cast<std::uint64_t>(result);
}

std::uint64_t magnitude(std::int64_t number) {
  return number < 0 ? 0 - static_cast<std::uint64_t>(number) : static_cast<std::uint64_t>(number);
}

void strip_zeros(Decimal& number) {
  while (number.coefficient != 0 && number.coefficient % 10 == 0) {
    number.coefficient /= 10;
    ++number.exponent;
  }
}

}  // namespace

Decimal to_decimal(double number) {
  std::array<char, 32> text{};  // "d.dddddddddddddddde-ddd": 24 characters at most
  const auto end =
      std::to_chars(text.data(), text.data() + text.size(), std::fabs(number), std::chars_format::scientific).ptr;
  Decimal decimal;
  const char* at = text.data();
  bool fraction = false;
  for (; at != end && *at != 'e'; ++at) {
    if (*at == '.') {
      fraction = true;
      continue;
    }
    decimal.coefficient = decimal.coefficient * 10 + static_cast<unsigned>(*at - '0');
    decimal.exponent -= fraction ? 1 : 0;
  }
  int power = 0;
  if (at != end) std::from_chars(at[1] == '+' ? at + 2 : at + 1, end, power);
  decimal.exponent += power;
  return decimal;
}

Divisor::Divisor(const Json& number) {
  if (const auto* whole = number.if_int64()) {
    decimal_ = {magnitude(*whole), 0};
  } else if (number.is_uint64()) {
    decimal_ = {number.get_uint64(), 0};
  } else {
    decimal_ = to_decimal(number.get_double());
  }
  strip_zeros(decimal_);
  Wide whole = decimal_.coefficient;
  if (decimal_.exponent >= 0 && decimal_.exponent < 20) {
    for (int left = decimal_.exponent; left > 0; --left) whole *= 10;
    if (whole == static_cast<std::uint64_t>(whole)) whole_ = static_cast<std::uint64_t>(whole);
  }
  if (decimal_.exponent <= 0 && decimal_.exponent > -16)
    scale_ = powers_of_ten[static_cast<std::size_t>(-decimal_.exponent)];
}

bool Divisor::divides(Decimal number) const {
  if (number.coefficient == 0) return true;
  const int shift = number.exponent - decimal_.exponent;
  if (shift >= 0) {
    const Wide scaled = static_cast<Wide>(number.coefficient % decimal_.coefficient) *
                        power_modulo(static_cast<unsigned>(shift), decimal_.coefficient);
    return scaled % decimal_.coefficient == 0;
  }
  Wide divisor = decimal_.coefficient;
  for (int left = -shift; left > 0; --left) {
    divisor *= 10;
    if (divisor > number.coefficient) return false;
  }
  return number.coefficient % static_cast<std::uint64_t>(divisor) == 0;
}

bool Divisor::divides(std::int64_t number) const { return divides(magnitude(number)); }

bool Divisor::divides(std::uint64_t number) const {
  if (whole_ != 0) return number % whole_ == 0;
  return divides(Decimal{number, 0});
}

// Up to 15 digits every decimal survives being held as a double, so the decimal can be recovered by rounding; dividing
// it back shows whether it is the one the double stands for. Everything else takes the exact way over the digits.
bool Divisor::divides(double number) const {
  if (scale_ != 0) {
    const double scaled = std::fabs(number) * scale_;
    if (scaled <= 1e15) {
      const double rounded = std::trunc(scaled + 0.5);
      if (rounded / scale_ != std::fabs(number)) return false;
      return static_cast<std::uint64_t>(rounded) % decimal_.coefficient == 0;
    }
  }
  return std::isfinite(number) && divides(to_decimal(number));
}

}  // namespace toolwire::schema
