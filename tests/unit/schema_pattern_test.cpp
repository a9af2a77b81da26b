#include "schema/pattern.hpp"

#define BOOST_TEST_MODULE schema_pattern
#include <boost/test/unit_test.hpp>

namespace {

using toolwire::schema::Pattern;
using toolwire::schema::PatternError;

bool matches(std::string_view pattern, std::string_view text) { return Pattern(pattern).matches(text); }

/// "unsupported: …" or "wrong: …"; empty for a pattern that compiles.
std::string refusal(std::string_view pattern) {
  try {
    const Pattern compiled(pattern);
    return "";
  } catch (const PatternError& error) {
    return (error.unsupported ? "unsupported: " : "wrong: ") + std::string(error.what());
  }
}

BOOST_AUTO_TEST_CASE(a_pattern_matches_anywhere_unless_anchored) {
  BOOST_TEST(matches("b", "abc"));
  BOOST_TEST(!matches("^b", "abc"));
  BOOST_TEST(!matches("c$", "abc\n"));
  BOOST_TEST(matches("", ""));
}

BOOST_AUTO_TEST_CASE(escapes_of_ecmascript_are_translated) {
  BOOST_TEST(matches("^\\u0041\\x42\\u{1F600}$", "AB\xf0\x9f\x98\x80"));
  BOOST_TEST(matches("^\\uD83D\\uDE00$", "\xf0\x9f\x98\x80"));
  BOOST_TEST(matches("^\\cA\\t\\v\\f\\0$", std::string_view("\x01\t\v\f\0", 5)));
  BOOST_TEST(matches("^[\\b]$", "\b"));
  BOOST_TEST(matches("^\\/\\-\\.$", "/-."));
  BOOST_TEST(matches("^[\\]\\\\[]+$", "[]\\"));
}

BOOST_AUTO_TEST_CASE(empty_and_full_classes_mean_nothing_and_anything) {
  BOOST_TEST(matches("^[^]$", "\n"));
  BOOST_TEST(!matches("[]", "a"));
}

BOOST_AUTO_TEST_CASE(unicode_properties_have_their_long_names) {
  BOOST_TEST(matches("^\\p{Letter}+$", "\xc3\xa4\xc3\x9f"));
  BOOST_TEST(matches("^\\p{Script=Greek}$", "\xce\xb1"));
  BOOST_TEST(matches("^\\P{Lu}$", "a"));
  BOOST_TEST(matches("^[\\p{digit}_]+$", "_7"));
  BOOST_TEST(matches("^\\p{General_Category=Uppercase_Letter}$", "A"));
  BOOST_TEST(refusal("\\p{Emoji}").starts_with("unsupported: "));
}

BOOST_AUTO_TEST_CASE(named_groups_and_lone_braces_are_taken) {
  BOOST_TEST(matches("^(?<year>\\d{4})-(?:\\d\\d)$", "2026-11"));
  BOOST_TEST(matches("^(?:=|!)(?:!)$", "=!"));
  BOOST_TEST(matches("^{a}$", "{a}"));
  BOOST_TEST(matches("^a{,2}]$", "a{,2}]"));
}

BOOST_AUTO_TEST_CASE(posix_classes_are_characters_as_in_ecmascript) { BOOST_TEST(matches("^[[:a]+$", "[:a")); }

BOOST_AUTO_TEST_CASE(what_cannot_run_in_linear_time_is_named) {
  BOOST_TEST(refusal("a(?=b)") == "unsupported: \"a(?=b)\": look-ahead cannot run in linear time");
  BOOST_TEST(refusal("(?<!b)a") == "unsupported: \"(?<!b)a\": look-behind cannot run in linear time");
  BOOST_TEST(refusal("\\udc00\\udc00").find("half a surrogate pair") != std::string::npos);
  BOOST_TEST(refusal("(a)\\1") == "unsupported: \"(a)\\1\": back-references cannot run in linear time");
  BOOST_TEST(refusal("(?<x>a)\\k<x>").starts_with("unsupported: "));
}

BOOST_AUTO_TEST_CASE(what_is_no_pattern_is_refused) {
  for (const char* wrong : {"(", "[a", "a\\", "\\Z", "\\a", "\\u12", "\\u{110000}", "\\uD800", "\\c1", "[z-a]", "(?i)a",
                            "(?<a", "*", "\\p", "\\01"}) {
    BOOST_TEST(refusal(wrong).starts_with("wrong: "), wrong);
  }
}

BOOST_AUTO_TEST_CASE(long_repetitions_are_taken) {
  BOOST_TEST(matches("^.{1,4096}$", std::string(4096, 'x')));
  BOOST_TEST(!matches("^.{1,4096}$", std::string(4097, 'x')));
  BOOST_TEST(matches("^(?:ab){2000}$", [] {
    std::string text;
    for (int i = 0; i < 2000; ++i) text += "ab";
    return text;
  }()));
  BOOST_TEST(!matches("^[ab]{1500,}c$", std::string(1499, 'a') + "c"));
}

BOOST_AUTO_TEST_CASE(spaces_and_the_dot_are_those_of_re2) {
  BOOST_TEST(matches("^\\s$", "\t"));
  BOOST_TEST(!matches("^\\s$", "\xc2\xa0"));
  BOOST_TEST(!matches("^.$", "\n"));
  BOOST_TEST(matches("^.$", "\xe2\x80\xa8"));
}

}  // namespace
