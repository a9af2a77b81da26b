#include "process/shown_text.hpp"

#define BOOST_TEST_MODULE bridge_shown_text_test
#include <algorithm>
#include <boost/test/unit_test.hpp>
#include <cstddef>
#include <string>

using namespace toolwire::bridge;

namespace {

bool is_seen(char c) { return (c >= ' ' && c <= '~') || c == '\n' || c == '\t'; }

}  // namespace

BOOST_AUTO_TEST_CASE(one_character_decides_wherever_it_stands_and_whatever_stands_beside_it) {
  std::size_t wrong = 0;
  for (int code = 0; code < 256; ++code) {
    for (const char beside : {' ', '~', 'a', '\n', '\x1F', '\x7F', '\xFF'}) {
      for (std::size_t length = 1; length <= 17; ++length) {
        for (std::size_t at = 0; at < length; ++at) {
          std::string text(length, 'x');
          text[at] = static_cast<char>(code);
          if (at + 1 < length) text[at + 1] = beside;
          if (is_shown_as_it_is(text) != std::ranges::all_of(text, is_seen)) ++wrong;
        }
      }
    }
  }
  BOOST_TEST(wrong == 0U);
}

BOOST_AUTO_TEST_CASE(what_is_shown_as_it_is_is_not_changed_and_the_rest_has_escapes) {
  const std::string plain = "Two lines\n\tof ordinary text ~";
  BOOST_TEST(is_shown_as_it_is(plain));
  BOOST_TEST(shown(plain) == plain);
  BOOST_TEST(is_shown_as_it_is(""));
  BOOST_TEST(shown("a\r\nb") == "a\nb");
  BOOST_TEST(shown("12345678\x1B]52;c;aGk=\x07") == "12345678\\u{1B}]52;c;aGk=\\u{7}");
  BOOST_TEST(shown("Größe") == "Größe");
}
