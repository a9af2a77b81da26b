#include "workspace/text/utf8.hpp"

#define BOOST_TEST_MODULE workspace_utf8_test
#include <boost/test/unit_test.hpp>
#include <string>
#include <toolwire/text.hpp>

using workspace::valid_utf8;
using workspace::valid_utf8_prefix;

namespace {
const std::string replaced = "\xEF\xBF\xBD";
}

BOOST_AUTO_TEST_CASE(valid_text_is_unchanged) {
  const std::string text = "a\u00e9\u20ac\U0001F600\n\t\x7F";
  BOOST_TEST(valid_utf8(text) == text);
  BOOST_TEST(valid_utf8("").empty());
}

BOOST_AUTO_TEST_CASE(each_ill_formed_sequence_becomes_one_replacement_character) {
  BOOST_TEST(valid_utf8("a\xFFz") == "a" + replaced + "z");
  BOOST_TEST(valid_utf8("\xC3") == replaced);
  BOOST_TEST(valid_utf8("\xE2\x82z") == replaced + "z");
  BOOST_TEST(valid_utf8("\xF0\x9F\x98") == replaced);
  BOOST_TEST(valid_utf8("\x80\x80") == replaced + replaced);
}

BOOST_AUTO_TEST_CASE(overlong_forms_surrogates_and_what_lies_beyond_unicode_are_ill_formed) {
  for (const char* bytes :
       {"\xC0\xAE", "\xE0\x80\xAE", "\xF0\x80\x80\xAE", "\xED\xA0\x80", "\xF4\x90\x80\x80", "\xF5\x80\x80\x80"}) {
    BOOST_TEST(toolwire::text::is_valid(valid_utf8(bytes)));
    BOOST_TEST(valid_utf8(bytes).find('.') == std::string::npos);
  }
}

BOOST_AUTO_TEST_CASE(nul_is_replaced) { BOOST_TEST(valid_utf8(std::string("a\0b", 3)) == "a" + replaced + "b"); }

BOOST_AUTO_TEST_CASE(a_prefix_ends_between_characters_and_tells_what_it_stands_for) {
  const std::string text = "ab\u20accd";
  for (const auto& [most, expected] : {std::pair<std::size_t, std::string>{0, ""},
                                       {2, "ab"},
                                       {3, "ab"},
                                       {4, "ab"},
                                       {5, "ab\u20ac"},
                                       {6, "ab\u20acc"},
                                       {9, text}}) {
    const auto part = valid_utf8_prefix(text, most);
    BOOST_TEST(part.text == expected);
    BOOST_TEST(part.consumed == expected.size());
  }
  const auto grown = valid_utf8_prefix("\xFF\xFF", 5);
  BOOST_TEST(grown.text == replaced);
  BOOST_TEST(grown.consumed == 1U);
}
