#include "workspace/text/shown_path.hpp"

#define BOOST_TEST_MODULE workspace_shown_path_test
#include <array>
#include <boost/test/unit_test.hpp>
#include <random>
#include <string>
#include <string_view>
#include <toolwire/text.hpp>

#include "misleading_texts.hpp"

using workspace::path_meant;
using workspace::shown_path;

BOOST_AUTO_TEST_CASE(an_ordinary_path_is_shown_as_it_is) {
  for (const char* path : {"src/main.cpp", "a b/c\\d", "caf\u00e9.txt", "it's \"it\"", "\\n\\u\\x41\\", "\"q\""}) {
    BOOST_TEST(shown_path(path) == path);
    BOOST_TEST(path_meant(path) == path);
  }
}

BOOST_AUTO_TEST_CASE(what_could_mislead_in_a_path_is_shown_as_an_escape) {
  BOOST_TEST(shown_path("a\nb") == R"(a\u{A}b)");
  BOOST_TEST(shown_path("a\tb\r") == R"(a\u{9}b\u{D})");
  BOOST_TEST(shown_path("\x1B[31m") == R"(\u{1B}[31m)");
  // NOLINTNEXTLINE(misc-misleading-bidirectional): its subject
  BOOST_TEST(shown_path("evil\u202Etxt.exe") == R"(evil\u{202E}txt.exe)");
  BOOST_TEST(shown_path("zero\u200Bwidth") == R"(zero\u{200B}width)");
  BOOST_TEST(shown_path("\"q\"\\\n") == R"("q"\\u{A})");
  BOOST_TEST(shown_path(" a b ") == R"(\u{20}a b\u{20})");
  BOOST_TEST(shown_path("caf\xE9") == R"(caf\xE9)");
  BOOST_TEST(shown_path("") == R"("")");
}

BOOST_AUTO_TEST_CASE(what_looks_like_an_escape_is_told_from_one) {
  BOOST_TEST(shown_path(R"(a\u{202E}b)") == R"(a\u{5C}u{202E}b)");
  BOOST_TEST(shown_path(R"(a\xFFb)") == R"(a\u{5C}xFFb)");
  BOOST_TEST(shown_path(R"(\u{}\u{110000}\u{D800}\xZZ\x7F)") == R"(\u{}\u{110000}\u{D800}\xZZ\x7F)");
}

BOOST_AUTO_TEST_CASE(what_is_shown_is_what_is_meant) {
  for (const toolwire::tests::MisleadingText& it : toolwire::tests::misleading_texts) {
    BOOST_TEST(shown_path(it.bytes) == it.visible, it.what);
    BOOST_TEST(path_meant(it.visible) == it.bytes, it.what);
  }
  // NOLINTBEGIN(misc-misleading-bidirectional): its subject
  constexpr std::array<std::string_view, 24> pieces{
      "\\",   "u",      "{",      "}",      "x",    "F",      "2",          "0",          " ", "\n", "\xFF", "\xE2",
      "\x80", "\u202E", "\u200D", "\uFE0F", "\x1b", "\u2764", "\U0001F469", "\U000E0041", "/", "\"", "1",    "\u20E3"};
  // NOLINTEND(misc-misleading-bidirectional)
  std::mt19937 random(14);
  for (int round = 0; round < 20'000; ++round) {
    std::string path;
    for (auto left = random() % 12 + 1; left > 0; --left) path += pieces[random() % pieces.size()];
    const std::string shown = shown_path(path);
    BOOST_REQUIRE_EQUAL(path_meant(shown), path);
    BOOST_REQUIRE_EQUAL(toolwire::text::visible(shown), shown);
  }
}

BOOST_AUTO_TEST_CASE(a_long_path_is_cut) { BOOST_TEST(shown_path(std::string(50, 'x'), 10) == "xxxxxxxxxx..."); }
