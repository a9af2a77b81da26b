#include "toolwire/detail/standard_codecs.hpp"

#define BOOST_TEST_MODULE standard_codecs_test
#include <boost/test/unit_test.hpp>

#include <array>
#include <filesystem>
#include <limits>
#include <set>
#include <string>
#include <unordered_map>
#include <unordered_set>
#include <vector>

#include "toolwire/convert.hpp"

using namespace toolwire;
using namespace std::chrono_literals;

namespace {

namespace ch = std::chrono;

/// What the text comes to when it is read as a T and written again, or why it is none.
template <class T>
std::string again(const char* json) {
  T value{};
  Violations violations;
  decode(parse_json(json), value, "", violations);
  if (violations.empty()) return to_json_text(encode(value));
  const std::string text = violations.text();
  return text.starts_with("arguments: ") ? text.substr(11) : text;  // of the value itself
}

template <class T>
std::string written(const T& value) {
  try {
    return to_json_text(encode(value));
  } catch (const std::invalid_argument& error) {
    return error.what();
  }
}

template <class T>
std::string schema() {
  return to_json_text(schema_of<T>());
}

const std::string no_duration =
    "expected a duration as ISO 8601 has it, in weeks, days, hours, minutes or seconds, such as \"PT1H30M\"";
const std::string no_time =
    "expected a time with its distance from UTC as RFC 3339 has it, such as \"2026-11-23T22:40:00Z\"";
const std::string too_far = "expected a time that is nearer: it has more digits than are kept";
const std::string too_fine = "expected no finer time: it is kept in larger units";

struct Entry {
  int number = 0;
  static constexpr auto describe() { return fields(field<&Entry::number>("Its number")); }
};

using Time = ch::system_clock::time_point;
using Nanotime = ch::time_point<ch::system_clock, ch::nanoseconds>;

}  // namespace

BOOST_AUTO_TEST_CASE(a_path_is_a_text) {
  BOOST_TEST(again<std::filesystem::path>("\"a/b.txt\"") == "\"a/b.txt\"");
  BOOST_TEST(schema<std::filesystem::path>() == R"({"type":"string"})");
  BOOST_TEST(again<std::filesystem::path>("5") == "expected a string");
  BOOST_TEST(again<std::filesystem::path>(R"("notes.txt\u0000.png")") == "expected a path without a NUL character");
}

BOOST_AUTO_TEST_CASE(a_set_is_an_array_in_which_nothing_occurs_twice) {
  BOOST_TEST(again<std::set<int>>("[3,1,3]") == "[1,3]");
  BOOST_TEST(again<std::unordered_set<std::string>>(R"(["a","a"])") == R"(["a"])");
  BOOST_TEST(again<std::set<int>>(R"([1,"a"])") == "[1]: expected an integer");
  BOOST_TEST(schema<std::set<int>>() == R"({"type":"array","items":{"type":"integer"}})");
}

BOOST_AUTO_TEST_CASE(an_unordered_map_is_an_object) {
  BOOST_TEST((again<std::unordered_map<std::string, std::vector<int>>>(R"({"a":[1]})") == R"({"a":[1]})"));
  BOOST_TEST(
      (again<std::unordered_map<std::string, Entry>>(R"({"a":{}})") == "a.number: missing (an integer: Its number)"));
  BOOST_TEST((schema<std::unordered_map<std::string, bool>>() ==
              R"({"type":"object","additionalProperties":{"type":"boolean"}})"));
}

BOOST_AUTO_TEST_CASE(a_pair_is_an_object_of_first_and_second) {
  using Pair = std::pair<std::string, std::vector<std::pair<int, bool>>>;
  BOOST_TEST(again<Pair>(R"({"second":[{"first":1,"second":true}],"first":"a"})") ==
             R"({"first":"a","second":[{"first":1,"second":true}]})");
  BOOST_TEST(again<Pair>(R"({"first":"a"})") == "second: missing (an array)");
}

BOOST_AUTO_TEST_CASE(bytes_are_base64) {
  using Bytes = std::vector<std::byte>;
  BOOST_TEST(again<Bytes>("\"aGVsbG8=\"") == "\"aGVsbG8=\"");
  BOOST_TEST(again<Bytes>("\"\"") == "\"\"");
  BOOST_TEST(written(Bytes{std::byte{0}, std::byte{255}}) == "\"AP8=\"");
  for (const char* text : {"\"aGVsbG8\"", "\"a\"", "\"aGVs bG8=\"", "\"-_==\""})
    BOOST_TEST(again<Bytes>(text) == "expected base64 with padding, such as \"aGVsbG8=\"", text);
  BOOST_TEST(schema<Bytes>() == R"({"type":"string"})");
}

BOOST_AUTO_TEST_CASE(a_duration_is_written_in_hours_and_below) {
  BOOST_TEST(written(0s) == "\"PT0S\"");
  BOOST_TEST(written(90min) == "\"PT1H30M\"");
  BOOST_TEST(written(36h) == "\"PT36H\"");
  BOOST_TEST(written(5250ms) == "\"PT5.25S\"");
  BOOST_TEST(written(1h + 1ns) == "\"PT1H0.000000001S\"");
  BOOST_TEST(written(-90s) == "\"-PT1M30S\"");
  BOOST_TEST(written(ch::duration<double>(1.5)) == "\"PT1.5S\"");
  BOOST_TEST(written(ch::duration<std::int64_t, std::ratio<1, 3>>(3)) == "\"PT1S\"");
  BOOST_TEST(written(ch::duration<std::int64_t, std::ratio<1, 3>>(1)) == "a time is no whole number of nanoseconds");
  BOOST_TEST(written(ch::hours(std::numeric_limits<ch::hours::rep>::max())) == "\"PT9223372036854775807H\"");
  BOOST_TEST(written(ch::seconds(std::numeric_limits<std::int64_t>::min())) == "\"-PT2562047788015215H30M8S\"");
  BOOST_TEST(written(ch::duration<double>(1e300)) == too_far);
  BOOST_TEST(written(ch::duration<double>(std::numeric_limits<double>::quiet_NaN())) == too_far);
}

BOOST_AUTO_TEST_CASE(a_duration_is_read_in_all_units_of_one_length) {
  BOOST_TEST(again<ch::seconds>("\"PT0S\"") == "\"PT0S\"");
  BOOST_TEST(again<ch::seconds>("\"P1W\"") == "\"PT168H\"");
  BOOST_TEST(again<ch::seconds>("\"P1DT2H3M4S\"") == "\"PT26H3M4S\"");
  BOOST_TEST(again<ch::seconds>("\"-PT90S\"") == "\"-PT1M30S\"");
  BOOST_TEST(again<ch::milliseconds>("\"PT0.25S\"") == "\"PT0.25S\"");
  BOOST_TEST(again<ch::milliseconds>("\"PT0,250000000000S\"") == "\"PT0.25S\"");
  BOOST_TEST(again<ch::duration<float>>("\"PT1.5S\"") == "\"PT1.5S\"");
  BOOST_TEST(again<ch::seconds>("\"PT1234567890123456789S\"") == "\"PT342935525034293H33M9S\"");
  for (const char* text : {"\"\"",       "\"P\"",
                           "\"PT\"",     "\"P1DT\"",
                           "\"1H\"",     "\"P1Y\"",
                           "\"P1M\"",    "\"PT1H2H\"",
                           "\"PT1M2H\"", "\"P1H\"",
                           "\"PT1D\"",   "\"PT1.5H\"",
                           "\"PT1.S\"",  "\"PT.5S\"",
                           "\"PTT1S\"",  "\"PT1\"",
                           "\"PT 1S\"",  "\"PT-1S\"",
                           "\"PT1S \"",  "\"pt1s\"",
                           "\"--PT1S\"", "\"PT12345678901234567890123456S\""})
    BOOST_TEST(again<ch::seconds>(text) == no_duration, text);
}

namespace {

/// What its longest and its shortest are written as, if these are read as they were.
template <class Duration>
std::string bounds() {
  std::string texts;
  for (const Duration value : {Duration::max(), Duration::min()}) {
    const std::string text = written(value);
    BOOST_TEST(again<Duration>(text.c_str()) == text);
    texts += text;
  }
  return texts;
}

}  // namespace

BOOST_AUTO_TEST_CASE(every_duration_that_is_written_can_be_read) {
  BOOST_TEST(bounds<ch::nanoseconds>() == "\"PT2562047H47M16.854775807S\"\"-PT2562047H47M16.854775808S\"");
  bounds<ch::milliseconds>();
  bounds<ch::seconds>();
  bounds<ch::minutes>();
  using Hours = ch::duration<std::int64_t, std::ratio<3600>>;
  using Days = ch::duration<std::int64_t, std::ratio<86'400>>;
  using Longest = ch::duration<std::int64_t, std::ratio<1'000'000'000>>;
  BOOST_TEST(bounds<Hours>() == "\"PT9223372036854775807H\"\"-PT9223372036854775808H\"");
  BOOST_TEST(bounds<Days>() == "\"PT221360928884514619368H\"\"-PT221360928884514619392H\"");
  BOOST_TEST(bounds<Longest>() == "\"PT2562047788015215501944444H26M40S\"\"-PT2562047788015215502222222H13M20S\"");
  BOOST_TEST(again<Hours>("\"PT9223372036854775808H\"") == too_far);
  BOOST_TEST(again<Hours>("\"P9999999999999999999999999W\"") == too_far);
  BOOST_TEST(again<Longest>("\"-P140000000000000000000000WT2300000000000000000000000H\"") == too_far);
}

BOOST_AUTO_TEST_CASE(a_duration_is_not_rounded_when_it_is_read) {
  BOOST_TEST(again<ch::seconds>("\"PT0.5S\"") == too_fine);
  BOOST_TEST(again<ch::hours>("\"PT90M\"") == too_fine);
  BOOST_TEST(again<ch::hours>("\"PT120M\"") == "\"PT2H\"");
  BOOST_TEST(again<ch::nanoseconds>("\"PT0.0000000001S\"") == "expected a duration that is no finer than a nanosecond");
  BOOST_TEST(again<ch::nanoseconds>("\"PT999999999999999999S\"") == too_far);
  BOOST_TEST((again<ch::duration<std::int8_t>>("\"PT127S\"") == "\"PT2M7S\""));
  BOOST_TEST((again<ch::duration<std::int8_t>>("\"PT128S\"") == too_far));
  BOOST_TEST((again<ch::duration<std::int64_t, std::ratio<1, 1'000'000'000>>>("\"P999999999999999999W\"") == too_far));
}

BOOST_AUTO_TEST_CASE(a_time_is_written_in_utc) {
  BOOST_TEST(written(Time{}) == "\"1970-01-01T00:00:00Z\"");
  BOOST_TEST(written(Nanotime(-1ns)) == "\"1969-12-31T23:59:59.999999999Z\"");
  BOOST_TEST(written(ch::sys_days(ch::year{2024} / 2 / 29) + 12h + 500ms) == "\"2024-02-29T12:00:00.5Z\"");
  BOOST_TEST(written(ch::sys_seconds(ch::sys_days(ch::year{0} / 1 / 1))) == "\"0000-01-01T00:00:00Z\"");
  BOOST_TEST(written(ch::sys_seconds(ch::sys_days(ch::year{10000} / 1 / 1)) - 1s) == "\"9999-12-31T23:59:59Z\"");
  BOOST_TEST(written(ch::sys_seconds(ch::sys_days(ch::year{10000} / 1 / 1))) == "a time is not in the years 0 to 9999");
  BOOST_TEST(written(ch::sys_seconds(ch::sys_days(ch::year{0} / 1 / 1)) - 1s) ==
             "a time is not in the years 0 to 9999");
  BOOST_TEST(schema<Time>() == R"({"type":"string","format":"date-time"})");
}

BOOST_AUTO_TEST_CASE(a_time_is_read_with_its_distance_from_utc) {
  BOOST_TEST(again<Time>("\"2026-11-23T22:40:00Z\"") == "\"2026-11-23T22:40:00Z\"");
  BOOST_TEST(again<Time>("\"2026-11-23T22:40:00+02:30\"") == "\"2026-11-23T20:10:00Z\"");
  BOOST_TEST(again<Time>("\"2026-11-23T22:40:00.125-02:00\"") == "\"2026-11-24T00:40:00.125Z\"");
  BOOST_TEST(again<Time>("\"2016-12-31T23:59:60Z\"") == "\"2017-01-01T00:00:00Z\"");
  BOOST_TEST(again<Nanotime>("\"1969-12-31T23:59:59.999999999Z\"") == "\"1969-12-31T23:59:59.999999999Z\"");
  BOOST_TEST(again<ch::sys_seconds>("\"0000-01-01T00:00:00Z\"") == "\"0000-01-01T00:00:00Z\"");
  BOOST_TEST(again<ch::sys_seconds>("\"2026-11-23T22:40:00.5Z\"") == too_fine);
  BOOST_TEST(again<Nanotime>("\"0000-01-01T00:00:00Z\"") == too_far);
  BOOST_TEST(again<Nanotime>("\"2026-11-23T22:40:00.0000000001Z\"") ==
             "expected a time that is no finer than a nanosecond");
  for (const char* text : {"\"\"", "\"2026-11-23\"", "\"2026-11-23T22:40:00\"", "\"2026-02-29T00:00:00Z\"",
                           "\"2026-11-23T24:00:00Z\"", "\"2026-11-23 22:40:00Z\"", "\"2026-11-23T22:40:00.Z\""})
    BOOST_TEST(again<Time>(text) == no_time, text);
}
