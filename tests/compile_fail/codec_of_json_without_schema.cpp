#include "toolwire/convert.hpp"

struct Money {
  long cents = 0;
};
template <>
struct toolwire::Codec<Money> {
  static Json to(const Money& money) { return money.cents; }
  static Money from(const Json& json) { return {json.as_int64()}; }
};
auto refused() { return toolwire::schema_of<Money>(); }
