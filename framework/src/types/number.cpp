#include "types/number.hpp"

#include <array>
#include <charconv>
#include <cmath>
#include <cstdint>
#include <cstring>

namespace toolwire::types {
namespace {

using detail::Kind;
using detail::NumberShape;

// Calls `use` with a zero of a type that has the size and signedness of the number's own type. The number itself is
// copied byte by byte, as `long` and `long long` may not be read as each other.
template <class Use>
auto with_type(const NumberShape& shape, Use use) {
  if (shape.kind == Kind::real) return shape.bytes == sizeof(float) ? use(float{}) : use(double{});
  switch (shape.bytes) {
    case 1:
      return shape.is_signed ? use(std::int8_t{}) : use(std::uint8_t{});
    case 2:
      return shape.is_signed ? use(std::int16_t{}) : use(std::uint16_t{});
    case 4:
      return shape.is_signed ? use(std::int32_t{}) : use(std::uint32_t{});
    default:
      return shape.is_signed ? use(std::int64_t{}) : use(std::uint64_t{});
  }
}

double with_digits_of(float value) {
  std::array<char, 32> text{};
  const auto end = std::to_chars(text.data(), text.data() + text.size(), value).ptr;
  double read = value;
  std::from_chars(text.data(), end, read);
  return read;
}

}  // namespace

long double load_number(const NumberShape& shape, const void* object) {
  return with_type(shape, [object](auto number) {
    std::memcpy(&number, object, sizeof number);
    return static_cast<long double>(number);
  });
}

void store_number(const NumberShape& shape, void* object, long double value) {
  with_type(shape, [object, value](auto number) {
    number = static_cast<decltype(number)>(value);
    std::memcpy(object, &number, sizeof number);
  });
}

long double as_written(const NumberShape& shape, long double value) {
  const bool is_float = shape.kind == Kind::real && shape.bytes == sizeof(float);
  return is_float ? with_digits_of(static_cast<float>(value)) : value;
}

bool has_value(const NumberShape& shape, long double value) {
  if (value >= shape.lowest && value <= shape.highest) return true;
  return value == as_written(shape, value < 0 ? shape.lowest : shape.highest);
}

Json number_json(const NumberShape& shape, long double value) {
  if (shape.kind == Kind::integer) {
    if (value < 0x1p63L) return static_cast<std::int64_t>(value);
    return static_cast<std::uint64_t>(value);
  }
  return static_cast<double>(as_written(shape, value));
}

std::optional<long double> number_in(const Json& json) {
  if (const auto* number = json.if_int64()) return static_cast<long double>(*number);
  if (const auto* number = json.if_uint64()) return static_cast<long double>(*number);
  if (const auto* number = json.if_double()) return static_cast<long double>(*number);
  return std::nullopt;
}

}  // namespace toolwire::types
