#include "json/fast/plain_reader.hpp"

#define BOOST_TEST_MODULE plain_reader_test
#include <boost/test/unit_test.hpp>
#include <random>
#include <string>
#include <variant>
#include <vector>

#include "json/fast.hpp"
#include "json/parse.hpp"
#include "toolwire/text.hpp"

using namespace toolwire;

namespace {

std::optional<json::RelocatableJson> plainly(std::string_view text, std::size_t levels = 128) {
  json::PlainReader reader(text);
  auto value = reader.value(levels, {});
  return value && reader.at_end() ? std::move(value) : std::nullopt;
}

/// Whatever the fast reader accepts, the library must accept too, and as the same value.
bool agrees(std::string_view text) {
  const auto quick = plainly(text);
  if (!quick) return true;
  const auto other = json::parse_by_library(text, {});
  return std::holds_alternative<Json>(other) && to_json_text(std::get<Json>(other)) == to_json_text(*quick) &&
         std::get<Json>(other) == *quick;
}

bool is_valid_by_characters(std::string_view text) {
  while (!text.empty()) {
    const text::Character character = text::first_character(text);
    if (!character.is_valid) return false;
    text.remove_prefix(character.length);
  }
  return true;
}

const std::vector<std::string> pieces = {
    "{",
    "}",
    "[",
    "]",
    "\"",
    "\\",
    ":",
    ",",
    " ",
    "\n",
    "0",
    "1",
    "-",
    ".",
    "e",
    "+",
    "12",
    "1.5",
    "true",
    "false",
    "null",
    "\"a\"",
    "\"b\"",
    "\"\\n\"",
    "{}",
    "[]",
    "\xC3\xA4",
    "\xE2\x82\xAC",
    "\\u00e4",
    "\\ud83d\\ude00",
    "\\ud83d",
    "\xFF",
    "\x01",
    "\"id\":",
    "999999999999999999",
    "1e400",
    "-0",
    "\"long enough to be more than one block of sixteen bytes, and then some more of it\""};

}  // namespace

BOOST_AUTO_TEST_CASE(plain_texts_are_read_the_quick_way) {
  for (const char* text :
       {"{}", "[]", " [ 1 , -2.5 , true , false , null ] ", R"({"a":{"b":[{"c":"d"}]},"e":"\u00e4\n"})", "\"\"", "0",
        "-0", "1e5", "-12.25E-3", "999999999999999999", "\"\xF0\x9F\x98\x80 \xC3\xA4\"", R"("\ud83d\ude00")"}) {
    BOOST_TEST_CONTEXT(text) {
      BOOST_TEST(plainly(text).has_value());
      BOOST_TEST(agrees(text));
    }
  }
}

BOOST_AUTO_TEST_CASE(what_is_wrong_or_rare_is_left_to_others) {
  for (const char* text : {"",
                           " ",
                           "{",
                           "[1",
                           "[1,]",
                           "{\"a\"}",
                           "{\"a\":1,}",
                           "01",
                           "-",
                           "1.",
                           "1e",
                           "+1",
                           ".5",
                           "tru",
                           "nulL",
                           "\"",
                           "\"\\",
                           "\"\\u12\"",
                           "\"\\x\"",
                           "\"\t\"",
                           "\"\xFF\"",
                           "\"\xC3\"",
                           "\"\xED\xA0\x80\"",
                           "\"\\ud83d\"",
                           "\"\\ude00\"",
                           "1000000000000000000",
                           "1e-111111111",
                           "-1E-11111111111111111111",
                           "1e400",
                           "[] []",
                           "\xEF\xBB\xBF{}"}) {
    BOOST_TEST(!plainly(text).has_value(), text);
  }
  BOOST_TEST(!plainly("[[1]]", 1).has_value());
  BOOST_TEST(plainly("[[1]]", 2).has_value());
  std::string members = "{";
  for (int i = 0; i < 65; ++i) members += (i > 0 ? ",\"" : "\"") + std::to_string(i) + "\":1";
  BOOST_TEST(!plainly(members + "}").has_value());
  BOOST_TEST(std::holds_alternative<Json>(json::parse(members + "}", {})));
}

BOOST_AUTO_TEST_CASE(random_texts_are_read_as_the_library_reads_them) {
  std::mt19937 random(20260728);
  int read = 0;
  for (int round = 0; round < 40'000; ++round) {
    std::string text;
    for (auto left = random() % 9; left > 0; --left) text += pieces[random() % pieces.size()];
    BOOST_REQUIRE_MESSAGE(agrees(text), text);
    read += plainly(text) ? 1 : 0;
  }
  BOOST_TEST(read > 500);
}

BOOST_AUTO_TEST_CASE(strings_of_any_length_come_back_as_they_were) {
  const std::vector<std::string> units = {"a", "\"", "\\", "\n", "\x01", "\xC3\xA4", "\xE2\x82\xAC", "\xF0\x9F\x98\x80",
                                          "/", " "};
  std::mt19937 random(7);
  for (int round = 0; round < 3'000; ++round) {
    std::string text;
    for (auto left = random() % 260; left > 0; --left) text += units[random() % (round % 2 == 0 ? units.size() : 2)];
    const std::string written = to_json_text(Json(text));
    const auto read = plainly(written);
    BOOST_REQUIRE(read);
    BOOST_REQUIRE(std::string_view(read->get_string()) == text);
    BOOST_REQUIRE(agrees(written));
  }
}

BOOST_AUTO_TEST_CASE(every_short_sequence_of_bytes_is_judged_right_wherever_it_stands) {
  // One of each class that the rules distinguish, and the neighbours of every boundary.
  const std::string bytes(
      "\x00\x41\x7F\x80\x8F\x90\x9F\xA0\xBF\xC0\xC1\xC2\xDF\xE0\xE1\xEC\xED\xEE\xEF\xF0\xF1\xF3\xF4\xF5\xFF", 25);
  const std::size_t count = bytes.size();
  for (std::size_t code = 0; code < count * count * count * count; ++code) {
    const std::string four = {bytes[code % count], bytes[code / count % count], bytes[code / count / count % count],
                              bytes[code / count / count / count]};
    const std::string before((code * 7) % 33, 'x');
    const std::string text = before + four + std::string(code % 3, 'y');
    BOOST_REQUIRE(text::is_valid(text) == is_valid_by_characters(text));
  }
}
