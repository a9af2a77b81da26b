#include "toolwire/convert.hpp"

struct Money {
  explicit Money(long all) : cents(all) {}
  long cents;
};
template <>
struct toolwire::Codec<Money> {
  static long to(const Money& money) { return money.cents; }
  static Money from(long cents) { return Money(cents); }
};
auto refused() { return toolwire::schema_of<Money>(); }
