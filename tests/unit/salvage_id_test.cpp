#define BOOST_TEST_MODULE salvage_id
#include <boost/test/unit_test.hpp>

#include "json/parse.hpp"

namespace {

// A copy of exactly the line's size, so that a sanitizer sees a read behind its end.
std::string id_in(std::string_view line) {
  const std::vector<char> copy(line.begin(), line.end());
  return toolwire::json::salvage_id({copy.data(), copy.size()}).value_or("none");
}

}  // namespace

BOOST_AUTO_TEST_CASE(an_id_before_the_damage_is_found) {
  BOOST_TEST(id_in(R"({"jsonrpc":"2.0","id":1,"method":)") == "1");
  BOOST_TEST(id_in(R"({"id":"abc","params":{"x":"unfinished)") == R"("abc")");
  BOOST_TEST(id_in(R"({"id":7,"params":[1,2})") == "7");
  BOOST_TEST(id_in("\xEF\xBB\xBF { \"id\" : -5 , \"a\":tru}") == "-5");
  BOOST_TEST(id_in(R"({"id":1}garbage)") == "1");
}

BOOST_AUTO_TEST_CASE(an_id_behind_a_value_that_is_not_json_is_found) {
  BOOST_TEST(id_in(R"({"method":tools/call,"id":7})") == "7");
  BOOST_TEST(id_in(R"({"params":{"a":01,'b':NaN},"id":"x"})") == R"("x")");
  BOOST_TEST(id_in("{\"text\":\"a\x01\xFF\",\"id\":3}") == "3");
}

BOOST_AUTO_TEST_CASE(the_raw_text_is_kept) {
  BOOST_TEST(id_in(R"({"id":"\u0041\"","x":})") == R"("\u0041\"")");
  BOOST_TEST(id_in(R"({"\u0069d":18446744073709551616,"x":})") == "18446744073709551616");
}

BOOST_AUTO_TEST_CASE(a_nested_id_is_not_taken_for_the_outer_one) {
  for (const auto* const line :
       {R"({"params":{"id":1},"x":})", R"({"params":[{"id":1}],"x":})", R"([{"id":1},)", R"({"params":{"a":1,"id":2)",
        R"({"p":{"a":{"b":1]},"id":5},"x":1})", R"({"a":{"id":1)", R"({"params":{"a":[1,2},"id":5},"x":})"}) {
    BOOST_TEST(id_in(line) == "none", line);
  }
}

BOOST_AUTO_TEST_CASE(text_in_a_string_is_not_taken_for_an_id) {
  for (const auto* const line :
       {R"({"a":"\"id\":1,","x":})", R"({"a":"\\\",\"id\":1,","x":})", R"({"a":",\"id\":1)", R"("id":1,)"}) {
    BOOST_TEST(id_in(line) == "none", line);
  }
}

BOOST_AUTO_TEST_CASE(an_id_that_may_be_cut_is_not_used) {
  for (const auto* const line :
       {R"({"id":12)", R"({"id":"ab)", R"({"id":"ab\")", R"({"id":)", R"({"id")", R"({"id":"ab")", "{", ""}) {
    BOOST_TEST(id_in(line) == "none", line);
  }
}

BOOST_AUTO_TEST_CASE(an_id_that_could_not_be_echoed_is_not_used) {
  for (const auto* const line :
       {R"({"id":1.5,"x":})", R"({"id":1e3,"x":})", R"({"id":01,"x":})", R"({"id":-,"x":})", R"({"id":null,"x":})",
        R"({"id":true,"x":})", R"({"id":{},"x":})", R"({"id":[1],"x":})", R"({"id":"\q","x":})",
        R"({"id":"\u00g0","x":})", R"({"id":"\u00!0","x":})", R"({"id":"\u00:0","x":})", R"({"id":"\u00@0","x":})",
        R"({"id":"\u00`0","x":})", "{\"id\":\"\x01\",\"x\":}", "{\"id\":\"\xFF\",\"x\":}", R"({"id":"a"b,"x":})",
        R"({"id":"a" "b","x":})", R"({"id":1 2,"x":})"}) {
    BOOST_TEST(id_in(line) == "none", line);
  }
}

BOOST_AUTO_TEST_CASE(of_two_different_ids_none_is_used) {
  BOOST_TEST(id_in(R"({"id":1,"id":2,"x":})") == "none");
  BOOST_TEST(id_in(R"({"id":1,"id":1,"x":})") == "1");
}

BOOST_AUTO_TEST_CASE(a_million_open_brackets_or_backslashes_do_no_harm) {
  BOOST_TEST(id_in(R"({"id":5,"p":)" + std::string(1'000'000, '[')) == "5");
  BOOST_TEST(id_in(R"({"p":)" + std::string(1'000'000, '[') + std::string(1'000'000, ']') + R"(,"id":6,)") == "6");
  BOOST_TEST(id_in(R"({"id":5,"p":")" + std::string(1'000'000, '\\')) == "5");
}
