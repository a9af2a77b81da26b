#include "schema/numbers.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdint>
#include <limits>
#include <optional>

namespace toolwire::schema {
namespace {

constexpr double two_63 = 9223372036854775808.0;
constexpr double two_64 = 18446744073709551616.0;

int sign(bool less, bool greater) { return less ? -1 : greater ? 1 : 0; }

// Compares with the whole part first; only when those are equal does the fraction decide.
template <class Integer>
int compare_with_double(Integer left, double right, double below, double beyond) {
  if (!(right < beyond)) return -1;
  if (right < below) return 1;
  const double whole = std::trunc(right);
  const auto integer = static_cast<Integer>(whole);
  if (left != integer) return left < integer ? -1 : 1;
  return sign(whole<right, whole> right);
}

int compare_with_double(const Json& left, double right) {
  if (const auto* number = left.if_int64()) return compare_with_double(*number, right, -two_63, two_63);
  if (right < 0) return 1;
  return compare_with_double(left.get_uint64(), right, 0.0, two_64);
}

int compare_integers(const Json& left, const Json& right) {
  if (left.is_int64() && right.is_int64()) {
    return sign(left.get_int64() < right.get_int64(), left.get_int64() > right.get_int64());
  }
  if (left.is_uint64() && right.is_uint64()) {
    return sign(left.get_uint64() < right.get_uint64(), left.get_uint64() > right.get_uint64());
  }
  if (left.is_uint64()) return -compare_integers(right, left);
  if (left.get_int64() < 0) return -1;
  const auto number = static_cast<std::uint64_t>(left.get_int64());
  return sign(number<right.get_uint64(), number> right.get_uint64());
}

// The least integer for which x >= bound (x > bound where `excluded`) holds; nothing where no integer of the type is so
// large.
template <class Integer>
std::optional<Integer> least(const Json& bound, bool excluded) {
  using Limits = std::numeric_limits<Integer>;
  Integer whole = 0;
  if (const auto* number = bound.if_double()) {
    if (*number < static_cast<double>(Limits::min())) return Limits::min();
    if (*number >= (Limits::is_signed ? two_63 : two_64)) return std::nullopt;
    whole = static_cast<Integer>(excluded ? std::floor(*number) : std::ceil(*number));
  } else {
    if (compare_integers(bound, Json(Limits::min())) < 0) return Limits::min();
    if (compare_integers(bound, Json(Limits::max())) > 0) return std::nullopt;
    whole = bound.is_int64() ? static_cast<Integer>(bound.get_int64()) : static_cast<Integer>(bound.get_uint64());
  }
  if (!excluded) return whole;
  if (whole == Limits::max()) return std::nullopt;
  return static_cast<Integer>(whole + 1);
}

template <class Integer>
void raise(Integer& low, Integer& high, const Json& bound, bool excluded) {
  const auto first = least<Integer>(bound, excluded);
  low = std::max(low, first.value_or(std::numeric_limits<Integer>::max()));
  if (!first) high = std::numeric_limits<Integer>::min();
}

// x <= bound holds for what comes before the least integer that is too large.
template <class Integer>
void lower(Integer& low, Integer& high, const Json& bound, bool excluded) {
  const auto beyond = least<Integer>(bound, !excluded);
  if (!beyond) return;
  if (*beyond != std::numeric_limits<Integer>::min()) {
    high = std::min(high, static_cast<Integer>(*beyond - 1));
  } else {
    low = std::numeric_limits<Integer>::max();
    high = std::numeric_limits<Integer>::min();
  }
}

double nearest_double(const Json& bound) {
  if (const auto* number = bound.if_double()) return *number;
  return bound.is_int64() ? static_cast<double>(bound.get_int64()) : static_cast<double>(bound.get_uint64());
}

// As std::nextafter. That alone would make every server load the mathematical library at its start.
double next_above(double number) {
  if (number == 0) return std::numeric_limits<double>::denorm_min();
  if (number == std::numeric_limits<double>::infinity()) return number;
  const auto bits = std::bit_cast<std::int64_t>(number);
  return std::bit_cast<double>(number > 0 ? bits + 1 : bits - 1);
}

double next_below(double number) { return -next_above(-number); }

}  // namespace

int compare_numbers(const Json& left, const Json& right) {
  if (left.is_double() && right.is_double()) {
    if (left.get_double() == right.get_double()) return 0;
    return left.get_double() < right.get_double() ? -1 : 1;
  }
  if (right.is_double()) return compare_with_double(left, right.get_double());
  if (left.is_double()) return -compare_with_double(right, left.get_double());
  return compare_integers(left, right);
}

void NumberRange::at_least(const Json& bound, bool excluded) {
  raise(signed_low, signed_high, bound, excluded);
  raise(unsigned_low, unsigned_high, bound, excluded);
  double low = nearest_double(bound);
  const int order = compare_numbers(Json(low), bound);
  if (order < 0 || (order == 0 && excluded)) low = next_above(low);
  double_low = std::max(double_low, low);
}

void NumberRange::at_most(const Json& bound, bool excluded) {
  lower(signed_low, signed_high, bound, excluded);
  lower(unsigned_low, unsigned_high, bound, excluded);
  double high = nearest_double(bound);
  const int order = compare_numbers(Json(high), bound);
  if (order > 0 || (order == 0 && excluded)) high = next_below(high);
  double_high = std::min(double_high, high);
}

}  // namespace toolwire::schema
