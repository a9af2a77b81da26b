#include "toolwire/convert.hpp"

struct Money {
  long cents = 0;
};
template <>
struct toolwire::Codec<Money> {
  static long to(const Money& money) { return money.cents; }
};
auto refused() { return toolwire::schema_of<Money>(); }
