#include "toolwire/convert.hpp"

struct Money {
  long cents = 0;
};
template <>
struct toolwire::Codec<Money> {
  static std::optional<long> to(const Money& money) { return money.cents; }
  static Money from(std::optional<long> cents) { return {cents.value_or(0)}; }
};
auto refused() { return toolwire::schema_of<Money>(); }
