#include "json/number.hpp"

#define BOOST_TEST_MODULE number
#include <bit>
#include <boost/test/unit_test.hpp>
#include <cmath>
#include <limits>
#include <random>

#include "json/parse.hpp"
#include "json/writer.hpp"

using toolwire::json::nearest_double;

namespace {

std::string written(double number) {
  std::string out;
  toolwire::json::write_double(out, number);
  return out;
}

bool comes_back(double number) {
  const toolwire::Json value = toolwire::parse_json(written(number));
  return std::bit_cast<std::uint64_t>(value.to_number<double>()) == std::bit_cast<std::uint64_t>(number);
}

}  // namespace

BOOST_AUTO_TEST_CASE(a_million_doubles_of_all_bit_patterns_come_back_exactly) {
  std::mt19937_64 random(20261121);
  for (int i = 0; i < 1'000'000;) {
    const auto number = std::bit_cast<double>(random());
    if (!std::isfinite(number)) continue;
    BOOST_REQUIRE_MESSAGE(comes_back(number), written(number));
    ++i;
  }
}

BOOST_AUTO_TEST_CASE(doubles_near_the_borders_of_the_written_forms_come_back_exactly) {
  using limits = std::numeric_limits<double>;
  for (const double border : {0.0, 1.0, 9007199254740992.0, 9223372036854775808.0, 18446744073709551616.0, 1e20, 1e21,
                              1e22, 1e23, limits::min(), limits::denorm_min(), limits::max() / 2}) {
    for (const double number : {border, std::nextafter(border, 0.0), std::nextafter(border, limits::max())}) {
      BOOST_TEST(comes_back(number));
      BOOST_TEST(comes_back(-number));
    }
  }
}

BOOST_AUTO_TEST_CASE(whole_doubles_below_1e21_have_neither_fraction_nor_exponent) {
  BOOST_TEST(written(1.0) == "1");
  BOOST_TEST(written(-3.0) == "-3");
  BOOST_TEST(written(0.0) == "0");
  BOOST_TEST(written(1e20) == "100000000000000000000");
  BOOST_TEST(written(-9007199254740994.0) == "-9007199254740994");
  BOOST_TEST(written(1e21) == "1e+21");
}

BOOST_AUTO_TEST_CASE(other_doubles_have_their_shortest_form) {
  BOOST_TEST(written(0.1) == "0.1");
  BOOST_TEST(written(-2.5) == "-2.5");
  BOOST_TEST(written(1e-7) == "1e-07");
  BOOST_TEST(written(5e-324) == "5e-324");
  BOOST_TEST(written(-0.0) == "-0.0");
}

BOOST_AUTO_TEST_CASE(nan_and_infinity_are_refused_with_the_reason) {
  const auto says = [](const char* text) {
    return [text](const std::invalid_argument& error) {
      return std::string(error.what()).find(text) != std::string::npos;
    };
  };
  BOOST_CHECK_EXCEPTION(written(std::nan("")), std::invalid_argument, says("NaN"));
  BOOST_CHECK_EXCEPTION(written(-std::numeric_limits<double>::infinity()), std::invalid_argument, says("infinite"));
}

BOOST_AUTO_TEST_CASE(integers_are_written_whole) {
  std::string out;
  toolwire::json::write_integer(out, std::numeric_limits<std::int64_t>::min());
  toolwire::json::write_integer(out, std::numeric_limits<std::uint64_t>::max());
  BOOST_TEST(out == "-922337203685477580818446744073709551615");
}

BOOST_AUTO_TEST_CASE(numbers_too_large_for_a_double_are_nothing) {
  for (const auto* const text :
       {"1e309", "-1e309", "1.7976931348623159e308", "0.1e310", "1e2147483648", "10e99999999999999999999"}) {
    BOOST_TEST(!nearest_double(text).has_value(), text);
  }
}

BOOST_AUTO_TEST_CASE(numbers_too_small_for_a_double_are_zero_with_their_sign) {
  for (const auto* const text :
       {"1e-400", "0.0001e-330", "100e-500", "1e-99999999999999999999", "0e999", "0.0e400", "0e99999999999999999999"}) {
    BOOST_TEST(nearest_double(text).value_or(1) == 0.0, text);
    const auto negative = nearest_double("-" + std::string(text));
    BOOST_TEST((negative && *negative == 0.0 && std::signbit(*negative)), text);
  }
}
