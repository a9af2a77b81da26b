#define BOOST_TEST_MODULE write_string
#include <boost/test/unit_test.hpp>

#include "json/parse.hpp"
#include "json/writer.hpp"

using namespace std::string_literals;

namespace {

// A copy of exactly the text's size, so that a sanitizer sees a read behind its end.
std::string written(std::string_view text) {
  const std::vector<char> copy(text.begin(), text.end());
  std::string out;
  toolwire::json::write_string(out, {copy.data(), copy.size()});
  return out;
}

const std::string replaced = "\xEF\xBF\xBD";

}  // namespace

BOOST_AUTO_TEST_CASE(only_quotes_backslashes_and_control_characters_are_escaped) {
  BOOST_TEST(written("a\"b\\c/d") == R"("a\"b\\c/d")");
  BOOST_TEST(written("\b\f\n\r\t") == R"("\b\f\n\r\t")");
  BOOST_TEST(written("\0\x01\x1F\x7F"s) == "\"\\u0000\\u0001\\u001f\x7F\"");
  BOOST_TEST(written("\xE2\x80\xA8\xE2\x80\xA9") == "\"\xE2\x80\xA8\xE2\x80\xA9\"");
  BOOST_TEST(written("") == "\"\"");
}

BOOST_AUTO_TEST_CASE(a_special_byte_is_found_at_every_place_of_every_length) {
  for (std::size_t length = 1; length <= 200; ++length) {
    for (std::size_t at = 0; at < length; ++at) {
      std::string text(length, 'x');
      text[at] = '"';
      BOOST_REQUIRE(written(text) == "\"" + std::string(at, 'x') + "\\\"" + std::string(length - at - 1, 'x') + "\"");
      text[at] = '\xC3';
      BOOST_REQUIRE(written(text) == "\"" + std::string(at, 'x') + replaced + std::string(length - at - 1, 'x') + "\"");
    }
  }
}

BOOST_AUTO_TEST_CASE(each_part_that_is_not_utf8_becomes_one_replacement_character) {
  BOOST_TEST(written("a\xFF"
                     "b") == "\"a" + replaced + "b\"");
  BOOST_TEST(written("\x80\x80") == "\"" + replaced + replaced + "\"");
  BOOST_TEST(written("\xE2\x82") == "\"" + replaced + "\"");
  BOOST_TEST(written("\xF0\x9F\x98") == "\"" + replaced + "\"");
  BOOST_TEST(written("\xF0\x9F\x98z") == "\"" + replaced + "z\"");
  BOOST_TEST(written("\xC0\x80") == "\"" + replaced + replaced + "\"");
  BOOST_TEST(written("\xED\xA0\x80") == "\"" + replaced + replaced + replaced + "\"");
  BOOST_TEST(written("\xF4\x90\x80\x80") == "\"" + replaced + replaced + replaced + replaced + "\"");
}

BOOST_AUTO_TEST_CASE(every_character_comes_back) {
  for (char32_t c = 0; c <= 0x10FFFF; c += c < 0x3000 ? 1 : 37) {
    if (c >= 0xD800 && c <= 0xDFFF) continue;
    std::string text = "x";
    const auto add = [&text](char32_t byte) { text += static_cast<char>(byte); };
    if (c < 0x80) {
      add(c);
    } else if (c < 0x800) {
      add(0xC0 | (c >> 6)), add(0x80 | (c & 0x3F));
    } else if (c < 0x10000) {
      add(0xE0 | (c >> 12)), add(0x80 | ((c >> 6) & 0x3F)), add(0x80 | (c & 0x3F));
    } else {
      add(0xF0 | (c >> 18)), add(0x80 | ((c >> 12) & 0x3F)), add(0x80 | ((c >> 6) & 0x3F)), add(0x80 | (c & 0x3F));
    }
    BOOST_REQUIRE(toolwire::parse_json(written(text)).as_string() == text);
  }
}

BOOST_AUTO_TEST_CASE(a_name_is_escaped_like_any_string) {
  BOOST_TEST(toolwire::to_json_text({{"a\"\n", 1}}) == R"({"a\"\n":1})");
}

BOOST_AUTO_TEST_CASE(every_byte_is_written_alike_at_every_place_of_short_texts) {
  for (const char other : {' ', 'x', '!', '#', '[', ']', '\x7F'}) {
    for (char byte = 0; byte < '\x7F'; ++byte) {
      const std::string alone = written(std::string(1, byte));
      const std::string as_written = alone.substr(1, alone.size() - 2);
      for (std::size_t length = 1; length <= 34; ++length) {
        for (std::size_t at = 0; at < length; ++at) {
          std::string text(length, other);
          text[at] = byte;
          const std::string expected =
              "\"" + std::string(at, other) + as_written + std::string(length - at - 1, other) + "\"";
          if (written(text) != expected) BOOST_FAIL(expected);
        }
      }
    }
  }
}
