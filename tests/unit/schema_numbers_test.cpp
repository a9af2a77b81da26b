#include "schema/numbers.hpp"

#define BOOST_TEST_MODULE schema_numbers
#include <boost/test/unit_test.hpp>
#include <cmath>
#include <vector>

#include "schema/decimal.hpp"

namespace {

using toolwire::Json;
using toolwire::schema::compare_numbers;
using toolwire::schema::Divisor;
using toolwire::schema::NumberRange;

/// Ascending, each value in every form that can hold it, and neighbours where a conversion to double would confuse
/// them.
const std::vector<Json> ascending = {-std::numeric_limits<double>::infinity(),
                                     -1e300,
                                     -9223372036854777856.0,
                                     std::int64_t{INT64_MIN},
                                     std::int64_t{INT64_MIN + 1},
                                     -9007199254740993,
                                     -9007199254740992.0,
                                     -1.5,
                                     -1,
                                     -0.5,
                                     0,
                                     5e-324,
                                     0.5,
                                     1,
                                     1.5,
                                     9007199254740992.0,
                                     9007199254740993,
                                     std::int64_t{INT64_MAX},
                                     std::uint64_t{9223372036854775808U},
                                     std::uint64_t{9223372036854775809U},
                                     std::uint64_t{UINT64_MAX},
                                     18446744073709551616.0,
                                     1e300,
                                     std::numeric_limits<double>::infinity()};

bool contains(const NumberRange& range, const Json& number) {
  if (const auto* value = number.if_int64()) return range.contains(*value);
  if (const auto* value = number.if_uint64()) return range.contains(*value);
  return range.contains(number.get_double());
}

BOOST_AUTO_TEST_CASE(comparing_is_exact_across_all_forms) {
  for (std::size_t left = 0; left < ascending.size(); ++left) {
    for (std::size_t right = 0; right < ascending.size(); ++right) {
      const int expected = left < right ? -1 : left > right ? 1 : 0;
      BOOST_TEST(compare_numbers(ascending[left], ascending[right]) == expected, left << " and " << right);
    }
  }
  BOOST_TEST(compare_numbers(Json(1), Json(1.0)) == 0);
  BOOST_TEST(compare_numbers(Json(9223372036854775808.0), Json(std::uint64_t{9223372036854775808U})) == 0);
}

BOOST_AUTO_TEST_CASE(a_range_holds_exactly_what_lies_within_its_bounds) {
  for (const bool excluded : {false, true}) {
    for (const Json& bound : ascending) {
      if (bound.is_double() && std::isinf(bound.get_double())) continue;  // no JSON text holds such a bound
      NumberRange low;
      low.at_least(bound, excluded);
      NumberRange high;
      high.at_most(bound, excluded);
      for (const Json& number : ascending) {
        const int order = compare_numbers(number, bound);
        BOOST_TEST(contains(low, number) == (order > 0 || (order == 0 && !excluded)), number << " from " << bound);
        BOOST_TEST(contains(high, number) == (order < 0 || (order == 0 && !excluded)), number << " up to " << bound);
      }
    }
  }
}

BOOST_AUTO_TEST_CASE(bounds_add_up) {
  NumberRange range;
  range.at_least(Json(1), false);
  range.at_least(Json(0.5), true);
  range.at_most(Json(10), true);
  range.at_most(Json(12), false);
  BOOST_TEST(!contains(range, Json(0.75)));
  BOOST_TEST(contains(range, Json(1)));
  BOOST_TEST(contains(range, Json(9.999)));
  BOOST_TEST(!contains(range, Json(10)));
}

BOOST_AUTO_TEST_CASE(multiples_are_exact_on_decimals) {
  BOOST_TEST(Divisor(Json(0.1)).divides(-3.3));
  BOOST_TEST(Divisor(Json(0.01)).divides(4.35));
  BOOST_TEST(Divisor(Json(0.01)).divides(1.1));
  BOOST_TEST(!Divisor(Json(0.01)).divides(4.355));
  BOOST_TEST(Divisor(Json(0.0001)).divides(0.0075));
  BOOST_TEST(!Divisor(Json(0.0001)).divides(0.00751));
  BOOST_TEST(Divisor(Json(1e-8)).divides(std::int64_t{12391239123}));
  BOOST_TEST(Divisor(Json(0.5)).divides(1e308));
  BOOST_TEST(!Divisor(Json(0.123456789)).divides(1e308));
  BOOST_TEST(Divisor(Json(1.5)).divides(std::int64_t{-4500}));
  BOOST_TEST(!Divisor(Json(1.5)).divides(std::uint64_t{4501}));
  BOOST_TEST(Divisor(Json(0.3)).divides(123456789012345.6));  // beyond 15 digits: the exact way over the digits
}

BOOST_AUTO_TEST_CASE(multiples_of_integers_are_exact_over_the_whole_range) {
  BOOST_TEST(Divisor(Json(3)).divides(std::uint64_t{UINT64_MAX}));
  BOOST_TEST(!Divisor(Json(3)).divides(std::uint64_t{UINT64_MAX - 1}));
  BOOST_TEST(Divisor(Json(std::uint64_t{UINT64_MAX})).divides(std::uint64_t{UINT64_MAX}));
  BOOST_TEST(Divisor(Json(2)).divides(std::int64_t{INT64_MIN}));
  BOOST_TEST(Divisor(Json(7)).divides(std::int64_t{0}));
  BOOST_TEST(Divisor(Json(7)).divides(0.0));
  BOOST_TEST(!Divisor(Json(7)).divides(7.5));
  BOOST_TEST(Divisor(Json(1e22)).divides(3e22));
  BOOST_TEST(!Divisor(Json(1e22)).divides(std::int64_t{10}));
}

// The fast path over doubles and the path over the digits must agree.
BOOST_AUTO_TEST_CASE(every_hundredth_is_recognised) {
  const Divisor cent(Json(0.01));
  const Divisor odd(Json(0.03));
  for (int number = -30'000; number <= 30'000; ++number) {
    BOOST_TEST_REQUIRE(cent.divides(number / 100.0));
    BOOST_TEST_REQUIRE(odd.divides(number / 100.0) == (number % 3 == 0));
    BOOST_TEST_REQUIRE(!cent.divides(number / 100.0 + 0.001));
  }
}

BOOST_AUTO_TEST_CASE(whole_doubles_are_integers) {
  for (const double whole : {0.0, -0.0, 1.0, -7.0, 4503599627370497.0, 1e300})
    BOOST_TEST(toolwire::schema::is_whole(whole));
  for (const double odd : {0.5, -1e-9, 4503599627370495.5, std::numeric_limits<double>::infinity(), std::nan("")}) {
    BOOST_TEST(!toolwire::schema::is_whole(odd));
  }
}

}  // namespace
