// What conversations by chance are made of, and how the shortest that matters is found.
#include "fuzz/line_maker.hpp"
#include "fuzz/shrink.hpp"

#define BOOST_TEST_MODULE conformance_fuzz_parts_test
#include <boost/test/unit_test.hpp>

#include <algorithm>
#include <set>

using namespace toolwire::conformance;
using toolwire::Json;
using toolwire::parse_json;
using toolwire::to_json_text;

namespace {

const std::vector<Json> messages{
    parse_json(
        R"({"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"add","arguments":{"a":[1,2],"b":"x"}}})"),
    parse_json(R"({"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":1}})")};

Lines lines_of(std::uint64_t seed, std::size_t count) {
  LineMaker maker(seed, messages);
  Lines lines(count);
  std::ranges::generate(lines, [&] { return maker.next(); });
  return lines;
}

bool is_json(const std::string& line) {
  try {
    parse_json(line, {.max_depth = 512});
    return true;
  } catch (const toolwire::JsonError&) {
    return false;
  }
}

bool has(const std::string& line, const char* part) { return line.find(part) != std::string::npos; }

}  // namespace

BOOST_AUTO_TEST_CASE(the_same_seed_gives_the_same_lines_and_another_gives_others) {
  BOOST_TEST((lines_of(7, 200) == lines_of(7, 200)));
  BOOST_TEST((lines_of(7, 200) != lines_of(8, 200)));
}

BOOST_AUTO_TEST_CASE(lines_are_whole_changed_or_broken_and_never_two) {
  const Lines lines = lines_of(1, 2'000);
  const auto whole = std::ranges::count_if(lines, [](const std::string& line) {
    return std::ranges::any_of(messages, [&](const Json& it) { return to_json_text(it) == line; });
  });
  BOOST_TEST((whole > 400 && whole < 700), whole);
  const auto broken = std::ranges::count_if(lines, [](const std::string& line) { return !is_json(line); });
  BOOST_TEST((broken > 300 && broken < 600), broken);
  BOOST_TEST(std::ranges::none_of(lines, [](const std::string& line) { return has(line, "\n"); }));
  BOOST_TEST((std::set<std::string>(lines.begin(), lines.end()).size() > 1'000U));
}

BOOST_AUTO_TEST_CASE(only_the_lines_that_matter_stay_and_of_those_what_matters) {
  Lines lines = lines_of(3, 40);
  lines[5] =
      R"({"method":"first","params":{"needed":{"deep":[0,1,"a long text that does not matter"]},"not":2},"id":4})";
  lines[31] =
      R"({"method":"second","params":{"a":[{"b":1},{"bad":[true,false]},3],"text":"0123456789needle0123456789"}})";
  const auto still = [](const Lines& some) {
    const auto first = std::ranges::find_if(some, [](const std::string& it) { return has(it, "\"deep\""); });
    return std::any_of(first, some.end(), [](const std::string& it) { return has(it, "bad") && has(it, "needle"); });
  };
  BOOST_REQUIRE(still(lines));
  const Lines fewest = shrink(lines, still);
  BOOST_REQUIRE(fewest.size() == 2U);
  BOOST_TEST(is_json(fewest[0]));
  BOOST_TEST(fewest[0] == R"({"params":{"needed":{"deep":[]}}})");
  BOOST_TEST(fewest[1] == R"({"params":{"a":[{"bad":[]}],"text":"needle"}})");
}

BOOST_AUTO_TEST_CASE(a_line_that_is_no_json_loses_bytes) {
  const Lines fewest = shrink({"x", R"({"a": 1, {{ broken "here)", "y"},
                              [](const Lines& some) { return !some.empty() && has(some.front(), "{ br"); });
  BOOST_TEST(fewest == Lines{"{ br"}, boost::test_tools::per_element());
}

BOOST_AUTO_TEST_CASE(where_nobody_says_yes_any_more_what_was_found_stays) {
  int asked = 0;
  const Lines lines = lines_of(1, 64);
  const Lines fewest = shrink(lines, [&](const Lines& some) { return ++asked <= 3 && !some.empty(); });
  BOOST_TEST((fewest.size() < lines.size() && !fewest.empty()));
}
