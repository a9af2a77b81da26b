#include "json/parse.hpp"

#define BOOST_TEST_MODULE parse
#include <boost/json/monotonic_resource.hpp>
#include <boost/test/unit_test.hpp>
#include <cmath>
#include <limits>

using namespace std::string_literals;
using toolwire::DuplicateKeys;
using toolwire::Json;
using toolwire::json::parse;
using toolwire::json::ParseError;

namespace {

Json value_of(std::string_view text, const toolwire::JsonParseOptions& options = {}) {
  auto result = parse(text, options);
  if (const auto* const error = std::get_if<ParseError>(&result)) {
    BOOST_FAIL("'" << text << "' was refused: " << error->message);
  }
  return std::get<Json>(std::move(result));
}

ParseError error_of(std::string_view text, const toolwire::JsonParseOptions& options = {}) {
  auto result = parse(text, options);
  BOOST_REQUIRE_MESSAGE(std::holds_alternative<ParseError>(result), "'" << text << "' was accepted");
  return std::get<ParseError>(std::move(result));
}

void check_error(std::string_view text, std::size_t offset, std::string_view message) {
  const ParseError error = error_of(text);
  BOOST_TEST(error.offset == offset);
  BOOST_TEST(error.message == message);
}

void check_double(std::string_view text, double expected) {
  const Json value = value_of(text);
  BOOST_REQUIRE_MESSAGE(value.is_double(), text << " is no double");
  BOOST_TEST(value.get_double() == expected);
  BOOST_TEST(std::signbit(value.get_double()) == std::signbit(expected));
}

}  // namespace

BOOST_AUTO_TEST_CASE(every_kind_of_value_is_read_and_members_keep_their_order) {
  const Json value = value_of(R"( {"z":null,"b":[true,false],"a":{"x":"y"},"n":-7,"":1.5} )");
  BOOST_TEST(value.as_object().begin()->key() == "z");
  BOOST_TEST(value.at("z").is_null());
  BOOST_TEST(value.at("b").at(0).as_bool());
  BOOST_TEST(!value.at("b").at(1).as_bool());
  BOOST_TEST(value.at("a").at("x").as_string() == "y");
  BOOST_TEST(value.at("n").as_int64() == -7);
  BOOST_TEST(value.at("").as_double() == 1.5);
}

BOOST_AUTO_TEST_CASE(integers_are_exact_over_both_ranges) {
  BOOST_TEST(value_of("9007199254740993").as_int64() == 9007199254740993);
  BOOST_TEST(value_of("-9223372036854775808").as_int64() == std::numeric_limits<std::int64_t>::min());
  BOOST_TEST(value_of("9223372036854775807").as_int64() == std::numeric_limits<std::int64_t>::max());
  BOOST_TEST(value_of("9223372036854775808").as_uint64() == 9223372036854775808U);
  BOOST_TEST(value_of("18446744073709551615").as_uint64() == std::numeric_limits<std::uint64_t>::max());
}

BOOST_AUTO_TEST_CASE(integers_beyond_both_ranges_are_the_nearest_double) {
  check_double("18446744073709551616", 18446744073709551616.0);
  check_double("-9223372036854775809", -9223372036854775808.0);
  check_double("123456789012345678901234567890", 123456789012345678901234567890.0);
}

BOOST_AUTO_TEST_CASE(doubles_are_the_nearest_ones) {
  check_double("0.1", 0.1);
  check_double("1e23", 1e23);
  check_double("3.141592653589793", 3.141592653589793);
  check_double("5e-324", 5e-324);
  check_double("1.7976931348623157e308", std::numeric_limits<double>::max());
  check_double("2.2250738585072011e-308", 2.2250738585072011e-308);
  check_double("0.50000000000000000000000000000000000000000001", 0.5);
}

BOOST_AUTO_TEST_CASE(minus_zero_keeps_its_sign) {
  check_double("-0", -0.0);
  check_double("-0.0", -0.0);
  check_double("-0e5", -0.0);
  BOOST_TEST(value_of("0").as_int64() == 0);
}

BOOST_AUTO_TEST_CASE(numbers_too_small_for_a_double_are_zero) {
  check_double("1e-400", 0.0);
  check_double("-1e-400", -0.0);
  check_double("0." + std::string(400, '0') + "1", 0.0);
  check_double(std::string(50, '9') + "e-450", 0.0);
}

BOOST_AUTO_TEST_CASE(numbers_too_large_for_a_double_are_refused_with_their_path) {
  constexpr auto complaint = "expected a number whose size is at most 1.7976931348623157e308";
  check_error(R"({"a":{"b":[1,2,{"c":1e400}]}})", 20, "at byte 20 (a.b[2].c): "s + complaint);
  check_error("-1e400", 0, "at byte 0: "s + complaint);
  check_error(std::string(310, '9'), 0, "at byte 0: "s + complaint);
  BOOST_TEST(error_of("1e99999999999").message.ends_with(complaint));
}

BOOST_AUTO_TEST_CASE(errors_name_the_place_what_was_expected_and_what_was_found) {
  check_error("", 0, "at byte 0: expected a value, found the end of the text");
  check_error("[1,2", 4, "at byte 4 ([1]): expected ',' or ']', found the end of the text");
  check_error(R"({"a" 1})", 5, "at byte 5 (a): expected ':' after the member name, found '1'");
  check_error(R"({"a":1,})", 7, "at byte 7: expected a member name in double quotes, found '}'");
  check_error(R"({"a":{"b":1 "c":2}})", 12, "at byte 12 (a.b): expected ',' or '}', found '\"'");
  check_error("{'a':1}", 1, "at byte 1: expected a member name in double quotes or '}', found '''");
  check_error(R"([{"a b":[,]}])", 9, "at byte 9 ([0][\"a b\"][0]): expected a value or ']', found ','");
  check_error("tru", 3, "at byte 3: expected the rest of the value, found the end of the text");
  check_error("{\"a\":nul}", 5, "at byte 5 (a): expected a value, found 'n'");
  check_error("[01]", 2, "at byte 2 ([0]): expected ',' or ']', found '1'");
  check_error("\xC3\xA9", 0, "at byte 0: expected a value, found '\xC3\xA9'");
}

BOOST_AUTO_TEST_CASE(anything_behind_the_value_is_refused) {
  check_error("{} x", 3, "at byte 3: expected nothing after the value, found 'x'");
  check_error("1 2", 2, "at byte 2: expected nothing after the value, found '2'");
  BOOST_TEST(value_of(" \t\r\n1 \t\r\n").as_int64() == 1);
}

BOOST_AUTO_TEST_CASE(long_paths_and_names_are_cut) {
  const std::string text = "{\"" + std::string(5000, 'n') + "\":" + std::string(100, '[') + "}";
  BOOST_TEST(error_of(text).message.size() < 400U);
}

BOOST_AUTO_TEST_CASE(control_characters_in_strings_are_refused_and_a_nul_escape_is_text) {
  check_error("[\"a\nb\"]", 3,
              "at byte 3 ([0]): expected a character or an escape of a string, or '\"' to end it, found control "
              "character 0x0a");
  BOOST_TEST(value_of(R"("a\u0000b")").as_string() == boost::json::string_view("a\0b", 3));
  BOOST_TEST(value_of("{\"\\u0000\":1}").as_object().contains(boost::json::string_view("\0", 1)));
  error_of("\"a\0b\""s);
}

BOOST_AUTO_TEST_CASE(only_utf8_is_accepted) {
  for (const auto* const bad :
       {"\xFF", "\xC0\x80", "\xED\xA0\x80", "\xF4\x90\x80\x80", "\xE2\x82", "\x80", "\xF0\x80\x80\x80"}) {
    error_of("\"" + std::string(bad) + "\"");
    error_of("\"\\n" + std::string(bad) + "\"");
    error_of("{\"" + std::string(bad) + "\":1}");
  }
  const std::string good = "\xC2\x80 \xE2\x82\xAC \xEF\xBF\xBF \xF0\x9F\x98\x80 \xF4\x8F\xBF\xBF \x7F";
  BOOST_TEST(value_of("\"" + good + "\"").as_string() == good);
}

BOOST_AUTO_TEST_CASE(surrogate_escapes_without_their_other_half_become_the_replacement_character) {
  const std::string replaced = "\xEF\xBF\xBD";
  BOOST_TEST(value_of(R"("\ud83d\ude00")").as_string() == "\xF0\x9F\x98\x80");
  BOOST_TEST(value_of(R"("\ud83d")").as_string() == replaced);
  BOOST_TEST(value_of(R"("\uDE00")").as_string() == replaced);
  BOOST_TEST(value_of(R"("a\ud83dbcdefghijklmnop")").as_string() == "a" + replaced + "bcdefghijklmnop");
  BOOST_TEST(value_of(R"("\ud83d\ud83d\ude00 and more text")").as_string() ==
             replaced + "\xF0\x9F\x98\x80 and more text");
  BOOST_TEST(value_of(R"("\ude00\ud83d\n")").as_string() == replaced + replaced + "\n");
  BOOST_TEST(value_of(R"("\\ud83d")").as_string() == "\\ud83d");
  BOOST_TEST(value_of(R"({"\ud83d":"\ud83d\u0041 text that is long"})").at(replaced).as_string() ==
             replaced + "A text that is long");
}

BOOST_AUTO_TEST_CASE(errors_behind_a_repaired_surrogate_keep_their_offset) {
  check_error(R"({"a":"\ud83d","b":})", 18, "at byte 18 (b): expected a value, found '}'");
}

BOOST_AUTO_TEST_CASE(nesting_is_allowed_up_to_the_limit_and_refused_beyond_naming_it) {
  value_of(std::string(128, '[') + std::string(128, ']'));
  const ParseError error = error_of(std::string(129, '[') + std::string(129, ']'));
  BOOST_TEST(error.offset == 128U);
  BOOST_TEST(error.message.find("expected at most 128 nested arrays and objects") != std::string::npos);
  value_of("[{}]", {.max_depth = 2});
  error_of("[{}]", {.max_depth = 1});
  error_of("[]", {.max_depth = 0});
}

BOOST_AUTO_TEST_CASE(values_and_names_are_allowed_up_to_the_limit_and_refused_beyond_naming_it) {
  value_of(R"([1,"a",{"b":null}])", {.max_values = 6});  // an array, a number, a text, an object, a name, a null
  const ParseError error = error_of(R"([1,"a",{"b":null}])", {.max_values = 5});
  BOOST_TEST(error.message.find("expected at most 5 values and names in one text, found more") != std::string::npos);
  error_of("1", {.max_values = 0});
  std::string ones = "[1";
  for (int i = 1; i < 99'999; ++i) ones += ",1";
  BOOST_TEST(value_of(ones + "]", {.max_values = 100'000}).as_array().size() == 99'999u);
  const ParseError large = error_of(ones + ",1]", {.max_values = 100'000});
  BOOST_TEST(large.message ==
             "at byte 200000 ([99999]): expected at most 100000 values and names in one text, found more");
  BOOST_TEST(error_of(ones + ",\"\\ud83d\"]", {.max_values = 100'000}).message.find("100000 values") !=
             std::string::npos);
}

BOOST_AUTO_TEST_CASE(large_texts_come_back_as_they_were) {
  std::string text = R"({"rest":[],"many":[)";
  for (int i = 0; i < 70'000; ++i) text += "[" + std::to_string(i) + R"(,{"name of ":"a text that is not short"}],)";
  text += R"(null],"members":{)";
  for (int i = 0; i < 1'001; ++i) text += "\"a name with an escape \\n" + std::to_string(i) + "\":[true],";
  text += R"("last":-0.0}})";
  BOOST_TEST(toolwire::to_json_text(value_of(text)) == text);
  const Json repaired = value_of(R"(["\ud83d",)" + text + "]");
  BOOST_TEST(repaired.at(0).as_string() == "\xEF\xBF\xBD");
  BOOST_TEST(toolwire::to_json_text(repaired.at(1)) == text);
}

BOOST_AUTO_TEST_CASE(of_many_doubled_members_the_last_wins_at_the_place_of_the_first) {
  std::string text = "{";
  for (int i = 0; i < 300; ++i) text += "\"" + std::to_string(i % 100) + "\":" + std::to_string(i) + ",";
  const Json value = value_of(text + "\"end\":0}");
  BOOST_TEST(value.as_object().size() == 101u);
  BOOST_TEST(value.as_object().begin()->key() == "0");
  BOOST_TEST(value.at("0").as_int64() == 200);
  BOOST_TEST(value.at("99").as_int64() == 299);
}

BOOST_AUTO_TEST_CASE(a_million_levels_are_refused_whatever_limit_is_asked_for) {
  const std::size_t unlimited = std::numeric_limits<std::size_t>::max();
  const std::string arrays(1'000'000, '[');
  BOOST_TEST(error_of(arrays).offset == 128U);
  BOOST_TEST(error_of(arrays, {.max_depth = unlimited}).offset == toolwire::greatest_json_depth);
  const std::string deepest = std::string(1024, '[') + std::string(1024, ']');
  value_of(deepest, {.max_depth = unlimited});
}

BOOST_AUTO_TEST_CASE(the_last_of_doubled_members_wins_by_default) {
  const Json value = value_of(R"({"a":1,"b":2,"a":{"c":3,"\u0063":4}})");
  BOOST_TEST(value.as_object().size() == 2U);
  BOOST_TEST(value.at("a").at("c").as_int64() == 4);
}

BOOST_AUTO_TEST_CASE(doubled_members_are_refused_at_any_depth_on_demand) {
  const toolwire::JsonParseOptions strict{.duplicate_keys = DuplicateKeys::refuse};
  const ParseError error = error_of(R"({"x":[{"a":1,"b":2,"a":3}]})", strict);
  BOOST_TEST(error.message == "at byte 20 (x[0]): expected each member of an object once, found \"a\" twice");
  BOOST_TEST(error.offset == 20U);
  error_of(R"({"a":1,"\u0061":2})", strict);
  error_of(R"({"":1,"":2})", strict);
  value_of(R"({"a":{"a":1},"b":{"a":[{"a":2},{"a":3}]}})", strict);
}

BOOST_AUTO_TEST_CASE(objects_of_any_size_have_the_members_sent_and_no_others) {
  for (const std::size_t members : {0U, 1U, 16U, 17U, 18U, 19U, 63U, 64U, 65U, 66U, 100U, 4096U, 100'000U}) {
    std::string text = "[{";
    for (std::size_t i = 0; i < members; ++i)
      text += (i == 0 ? "\"k" : ",\"k") + std::to_string(i) + "\":" + std::to_string(i);
    const Json value = value_of(text + "}]", {.duplicate_keys = DuplicateKeys::refuse});
    const auto& object = value.at(0).as_object();
    BOOST_TEST(object.size() == members);
    std::int64_t expected = 0;
    for (const auto& member : object) {
      BOOST_REQUIRE(member.value() == expected);
      BOOST_REQUIRE(object.at(member.key()) == expected);
      ++expected;
    }
  }
}

BOOST_AUTO_TEST_CASE(one_member_sent_100_000_times_leaves_the_last) {
  std::string text = "{";
  for (int i = 0; i < 100'000; ++i) text += (i == 0 ? "\"k\":" : ",\"k\":") + std::to_string(i);
  const Json value = value_of(text + "}");
  BOOST_TEST(value.as_object().size() == 1U);
  BOOST_TEST(value.at("k").as_int64() == 99'999);
}

BOOST_AUTO_TEST_CASE(values_can_live_in_memory_of_the_caller) {
  boost::json::monotonic_resource arena;
  const std::string text = R"({"list":[1,"a string that is too long to be stored in place",{"k":"v"}]})";
  const auto result = parse(text, {}, &arena);
  const Json& value = std::get<Json>(result);
  BOOST_TEST(value.storage().get() == &arena);
  BOOST_TEST(value.at("list").at(2).storage().get() == &arena);
}
