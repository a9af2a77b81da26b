#include "schema/equality.hpp"

#define BOOST_TEST_MODULE schema_equality
#include <boost/test/unit_test.hpp>

namespace {

using toolwire::Json;
using toolwire::JsonArray;
using toolwire::parse_json;
using toolwire::schema::all_different;
using toolwire::schema::json_equal;
using toolwire::schema::json_hash;

BOOST_AUTO_TEST_CASE(equality_is_that_of_json_schema) {
  const std::pair<const char*, const char*> equal[] = {{"1", "1.0"},
                                                       {"{\"a\":1,\"b\":[2]}", "{\"b\":[2.0],\"a\":1}"},
                                                       {"0", "-0.0"},
                                                       {"18446744073709551615", "18446744073709551615"},
                                                       {"null", "null"}};
  for (const auto& [left, right] : equal) {
    BOOST_TEST(json_equal(parse_json(left), parse_json(right)), left << " " << right);
    BOOST_TEST(json_hash(parse_json(left)) == json_hash(parse_json(right)), left << " " << right);
  }
  const std::pair<const char*, const char*> different[] = {{"1", "true"},
                                                           {"0", "false"},
                                                           {"\"1\"", "1"},
                                                           {"[1,2]", "[2,1]"},
                                                           {"{\"a\":1}", "{\"a\":1,\"b\":2}"},
                                                           {"null", "0"},
                                                           {"{}", "[]"},
                                                           {"9007199254740993", "9007199254740992.0"},
                                                           {"{\"a\":1}", "{\"b\":1}"}};
  for (const auto& [left, right] : different)
    BOOST_TEST(!json_equal(parse_json(left), parse_json(right)), left << " " << right);
}

BOOST_AUTO_TEST_CASE(unsigned_integers_equal_signed_ones) {
  BOOST_TEST(json_equal(Json(std::uint64_t{7}), Json(7)));
  BOOST_TEST(json_hash(Json(std::uint64_t{7})) == json_hash(Json(7)));
  BOOST_TEST(json_hash(Json(9223372036854775808.0)) == json_hash(Json(std::uint64_t{9223372036854775808U})));
}

BOOST_AUTO_TEST_CASE(equal_elements_are_found_in_arrays_of_any_size) {
  for (const std::size_t size : {0U, 1U, 5U, 100U, 256U, 257U, 5000U}) {
    JsonArray elements;
    for (std::size_t index = 0; index < size; ++index) elements.push_back(JsonArray{index, "x"});
    BOOST_TEST(all_different(elements), size);
    if (size < 2) continue;
    elements.back() = JsonArray{0.0, "x"};
    BOOST_TEST(!all_different(elements), size);
  }
}

}  // namespace
