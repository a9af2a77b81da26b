#include "toolwire/convert.hpp"

struct Money {
  long cents = 0;
  static constexpr auto describe() { return toolwire::fields(toolwire::field<&Money::cents>("How much")); }
};
template <>
struct toolwire::Codec<Money> {
  static long to(const Money& money) { return money.cents; }
  static Money from(long cents) { return {cents}; }
};
auto refused() { return toolwire::schema_of<Money>(); }
