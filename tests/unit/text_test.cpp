#include "toolwire/text.hpp"

#define BOOST_TEST_MODULE text_test
#include <boost/test/unit_test.hpp>
#include <string>

#include "misleading_texts.hpp"
#include "text/character_class.hpp"
#include "text/character_table.hpp"

namespace text = toolwire::text;
using namespace std::string_literals;

namespace {

const std::string replaced = "\xEF\xBF\xBD";

struct Shown {
  std::string bytes;
  std::string visible;
  std::string stripped;
};

void check(const Shown& it) {
  BOOST_TEST(text::visible(it.bytes) == it.visible);
  BOOST_TEST(text::stripped(it.bytes) == it.stripped);
}

/// The same in both forms.
void check_kept(const std::string& bytes) { check({bytes, bytes, bytes}); }

}  // namespace

// ---- UTF-8

BOOST_AUTO_TEST_CASE(valid_text_is_unchanged) {
  for (const std::string& bytes : {""s, "a\u00e9\u20ac\U0001F600\n\t\x7F"s, "a\0b"s}) {
    BOOST_TEST(text::valid(bytes) == bytes);
    BOOST_TEST(text::is_valid(bytes));
  }
}

BOOST_AUTO_TEST_CASE(each_ill_formed_sequence_becomes_one_replacement_character) {
  BOOST_TEST(text::valid("a\xFFz") == "a" + replaced + "z");
  BOOST_TEST(text::valid("\xC3") == replaced);
  BOOST_TEST(text::valid("\xE2\x82z") == replaced + "z");
  BOOST_TEST(text::valid("\xF0\x9F\x98") == replaced);
  BOOST_TEST(text::valid("\x80\x80") == replaced + replaced);
  BOOST_TEST(text::valid("a\xff\xC3") == "a" + replaced + replaced);
}

BOOST_AUTO_TEST_CASE(overlong_forms_surrogates_and_what_lies_beyond_unicode_are_ill_formed) {
  for (const char* bytes : {"\xC0\x80", "\xC0\xAE", "\xE0\x80\xAE", "\xF0\x80\x80\xAE", "\xED\xA0\x80",
                            "\xF4\x90\x80\x80", "\xF5\x80\x80\x80"}) {
    BOOST_TEST(!text::is_valid(bytes));
    BOOST_TEST(text::is_valid(text::valid(bytes)));
    BOOST_TEST(text::valid(bytes).find_first_of(".\xED\xF4"s) == std::string::npos);
  }
}

// Of each character a plain comparison: a macro of Boost.Test for each of a million takes a minute with sanitizers.
constexpr std::size_t characters = 0x110000 - 0x800;

BOOST_AUTO_TEST_CASE(every_character_is_read_as_it_was_written) {
  std::size_t right = 0;
  for (char32_t code = 0; code < 0x110000; ++code) {
    if (code >= 0xD800 && code < 0xE000) continue;
    std::string bytes;
    text::append_character(bytes, code);
    const text::Character read = text::first_character(bytes + "z");
    if (read.is_valid && read.code == code && read.length == bytes.size())
      ++right;
    else
      BOOST_ERROR("U+" << std::hex << static_cast<std::uint32_t>(code));
  }
  BOOST_TEST(right == characters);
}

BOOST_AUTO_TEST_CASE(a_text_is_cut_between_characters) {
  BOOST_TEST(text::head("ab\u20ac", 4) == "ab");
  BOOST_TEST(text::head("ab\u20ac", 5) == "ab\u20ac");
  BOOST_TEST(text::tail("\u20acab", 4) == "ab");
  BOOST_TEST(text::tail("\u20acab", 5) == "\u20acab");
}

BOOST_AUTO_TEST_CASE(bytes_that_are_no_text_are_shown_or_replaced) {
  check({"a\xff\xC3z", "a\\xFF\\xC3z", "a" + replaced + replaced + "z"});
  check({"\xE2\x80", "\\xE2\\x80", replaced});
  check({"\xed\xa0\x80", "\\xED\\xA0\\x80", replaced + replaced + replaced});
}

// ---- What a reader sees

BOOST_AUTO_TEST_CASE(plain_text_of_any_script_stays_as_it_is) {
  for (const char* bytes :
       {"", "plain", "größe 大 😀", "日本語", "עברית", "العربية", "हिन्दी", "a\u0301\u0323", "x² ≤ 3 €", "© ™ №",
        "\u0600\u0661", "\U0001F1E9\U0001F1EA", "seventeen letters", "\u3000", "a\u00a0b"})
    check_kept(bytes);
}

BOOST_AUTO_TEST_CASE(control_characters_are_hidden) {
  check({"a\rb\x07\x7f", "a\\rb\\u{7}\\u{7F}", "ab"});
  check({"\0"s, "\\u{0}", ""});
  check({"\u0085", "\\u{85}", ""});
}

BOOST_AUTO_TEST_CASE(line_feeds_and_tabs_are_kept_where_lines_are_wanted) {
  check({"a\n\tb", "a\\n\\tb", "a  b"});
  BOOST_TEST(text::visible("a\r\n\tb", text::lines) == "a\\r\n\tb");
  BOOST_TEST(text::stripped("a\r\n\tb", text::lines) == "a\n\tb");
  BOOST_TEST(text::visible("a\n\tb", {.tabs = true}) == "a\\n\tb");
}

BOOST_AUTO_TEST_CASE(marks_of_writing_direction_are_hidden) {
  // NOLINTNEXTLINE(misc-misleading-bidirectional): written as an escape
  check({"evil\u202Etxt.exe", "evil\\u{202E}txt.exe", "eviltxt.exe"});
  check({"\u200e\u200f\u061c", "\\u{200E}\\u{200F}\\u{61C}", ""});
  for (char32_t code = 0x202A; code <= 0x202E; ++code)
    BOOST_TEST((text::class_of(code) == text::CharacterClass::hidden));
  for (char32_t code = 0x2066; code <= 0x2069; ++code)
    BOOST_TEST((text::class_of(code) == text::CharacterClass::hidden));
}

BOOST_AUTO_TEST_CASE(characters_without_width_are_hidden) {
  check({"zero\u200Bwidth", "zero\\u{200B}width", "zerowidth"});
  check({"a\u2060b\ufeffc\u00add", "a\\u{2060}b\\u{FEFF}c\\u{AD}d", "abcd"});
  check({"\u3164\u115f\u034f\u180e", "\\u{3164}\\u{115F}\\u{34F}\\u{180E}", ""});
}

BOOST_AUTO_TEST_CASE(separators_of_lines_and_paragraphs_are_hidden) {
  check({"a\u2028b\u2029c", "a\\u{2028}b\\u{2029}c", "abc"});
}

BOOST_AUTO_TEST_CASE(tag_characters_are_hidden) {
  check({"a\U000E0041\U000E0042z", "a\\u{E0041}\\u{E0042}z", "az"});
  check({"\U000E0001\U000E007F", "\\u{E0001}\\u{E007F}", ""});
}

BOOST_AUTO_TEST_CASE(what_unicode_has_not_assigned_is_hidden) {
  check({"\uE000\U0010FFFD", "\\u{E000}\\u{10FFFD}", ""});                 // private use
  check({"\uFDD0\uFFFE\U0010FFFF", "\\u{FDD0}\\u{FFFE}\\u{10FFFF}", ""});  // noncharacters
  check({"\u0378\U00050000", "\\u{378}\\u{50000}", ""});
  check_kept("\U0001FAEF\U0002EBF0");  // reserved for an emoji and for an ideograph, and not to be lost when they come
}

// ---- Joiners, selectors and tags, where they belong to what is seen and where they do not

BOOST_AUTO_TEST_CASE(joiners_inside_of_emoji_are_kept) {
  check_kept("\U0001F468\u200D\U0001F469\u200D\U0001F467");  // family
  check_kept("\U0001F3F3\uFE0F\u200D\U0001F308");            // rainbow flag
  check_kept("\U0001F469\U0001F3FD\u200D\U0001F4BB");        // woman technologist, medium skin tone
  check_kept("\u2764\uFE0F\u200D\U0001F525");                // heart on fire
  check_kept("\U0001F468\U0001F3FB\u200D\u2764\uFE0F\u200D\U0001F468\U0001F3FF");  // couple
}

BOOST_AUTO_TEST_CASE(joiners_between_other_characters_are_hidden) {
  check({"a\u200Db", "a\\u{200D}b", "ab"});
  check({"a\u200Cb", "a\\u{200C}b", "ab"});
  check({"\U0001F468\u200D", "\U0001F468\\u{200D}", "\U0001F468"});
  check({"\U0001F468\u200Da", "\U0001F468\\u{200D}a", "\U0001F468a"});
  check({"a\u200D\U0001F468", "a\\u{200D}\U0001F468", "a\U0001F468"});
  check({"\U0001F468\u200D\u200D\U0001F469", "\U0001F468\\u{200D}\\u{200D}\U0001F469", "\U0001F468\U0001F469"});
  check({"\U0001F468\u200C\U0001F469", "\U0001F468\\u{200C}\U0001F469", "\U0001F468\U0001F469"});
  check({"\u200D", "\\u{200D}", ""});
}

BOOST_AUTO_TEST_CASE(joiners_are_kept_in_scripts_that_join_letters) {
  check_kept("می\u200Cخواهم");
  check_kept("क्\u200Dष क्\u200Cष");
  check({"م\u200C\u200Cخ", "م\\u{200C}\\u{200C}خ", "مخ"});
  check({"م\u200Ca", "م\\u{200C}a", "مa"});
  check_kept("م\u064E\u200Cخ क्\u0951\u200Dष");  // a mark stands between
}

BOOST_AUTO_TEST_CASE(variation_selectors_of_emoji_are_kept) {
  check_kept("\u2600\uFE0F \u2600\uFE0E \u00A9\uFE0F");
  check_kept("0\uFE0F\u20E3 9\uFE0F\u20E3 #\uFE0F\u20E3 *\uFE0F\u20E3");
  check_kept("\U0001F3F4\uFE0F");
}

BOOST_AUTO_TEST_CASE(other_variation_selectors_are_hidden) {
  check({"a\uFE0Fb", "a\\u{FE0F}b", "ab"});
  check({"1\uFE0F2", "1\\u{FE0F}2", "12"});
  check({"\u2600\uFE0F\uFE0F", "\u2600\uFE0F\\u{FE0F}", "\u2600\uFE0F"});
  check({"\u2600\u0301\uFE0F", "\u2600\u0301\\u{FE0F}", "\u2600\u0301"});
  check({"\u2600\uFE00", "\u2600\\u{FE00}", "\u2600"});
  check({"\U0001F600\U000E0100\U000E01EF", "\U0001F600\\u{E0100}\\u{E01EF}", "\U0001F600"});
}

BOOST_AUTO_TEST_CASE(tags_are_kept_in_the_flags_that_are_written_so) {
  const std::string england = "\U0001F3F4\U000E0067\U000E0062\U000E0065\U000E006E\U000E0067\U000E007F";
  check_kept(england);
  check({"a" + england.substr(4), "a\\u{E0067}\\u{E0062}\\u{E0065}\\u{E006E}\\u{E0067}\\u{E007F}", "a"});
  check({england + "\U000E0041", england + "\\u{E0041}", england});
  check({"\U0001F3F4\U000E0068\U000E0069\U000E007F", "\U0001F3F4\\u{E0068}\\u{E0069}\\u{E007F}", "\U0001F3F4"});
}

// ---- Sequences of terminals

BOOST_AUTO_TEST_CASE(sequences_of_terminals_are_shown_harmless_or_left_out_whole) {
  check({"a\x1b[31mb\x1b[0m", "a\\u{1B}[31mb\\u{1B}[0m", "ab"});
  check({"a\x1b]52;c;ZXZpbA==\x07z", "a\\u{1B}]52;c;ZXZpbA==\\u{7}z", "az"});
  BOOST_TEST(text::stripped("\x1b[31;1mred\x1b[0m") == "red");
  BOOST_TEST(text::stripped("a\x1b]0;title\x07z") == "az");
  BOOST_TEST(text::stripped("a\x1b]8;;http://x\x1b\\z") == "az");
  BOOST_TEST(text::stripped("a\x1bPdevice\x1b\\z") == "az");
  BOOST_TEST(text::stripped("a\x1b_app\x1b\\b\x1b^pm\x1b\\c\x1bXsos\x1b\\d") == "abcd");
  BOOST_TEST(text::stripped("a\x1b(Bz\x1b"
                            "7y\x1b"
                            "cx") == "azyx");  // a set of characters, DECSC, RIS
  BOOST_TEST(text::stripped("a\x1b[?25l\x1b[1 qz") == "az");
}

BOOST_AUTO_TEST_CASE(sequences_of_eight_bits_are_left_out_whole) {
  check({"a\u009b31mz", "a\\u{9B}31mz", "az"});
  BOOST_TEST(text::stripped("a\u009d52;c;eA==\u009cz") == "az");
  BOOST_TEST(text::stripped("a\u0090q\u009cz\u0084y") == "azy");
}

BOOST_AUTO_TEST_CASE(sequences_without_end_are_left_out) {
  BOOST_TEST(text::stripped("a\x1b]never closed") == "a");
  BOOST_TEST(text::stripped("a\x1b") == "a");
  BOOST_TEST(text::stripped("a\x1b[") == "a");
  BOOST_TEST(text::stripped("a\x1b[1\nb", text::lines) == "a\nb");
  BOOST_TEST(text::stripped("a\x1b\x1b[31mz") == "az");
  BOOST_TEST(text::stripped("a\x1b]0;x\x1b[31mz") == "az");
  BOOST_TEST(text::stripped("a\x1b]0;x\x18z") == "az");
  BOOST_TEST(text::stripped("a\x1bü") == "aü");
}

// ---- All of them

BOOST_AUTO_TEST_CASE(what_hides_in_a_text_is_shown_or_left_out) {
  for (const toolwire::tests::MisleadingText& it : toolwire::tests::misleading_texts) {
    BOOST_TEST_CONTEXT(it.what)
    check({std::string(it.bytes), std::string(it.visible), std::string(it.stripped)});
  }
}

BOOST_AUTO_TEST_CASE(what_was_made_visible_or_stripped_once_stays_as_it_is) {
  std::size_t right = 0;
  for (char32_t code = 0; code < 0x110000; ++code) {
    if (code >= 0xD800 && code < 0xE000) continue;
    std::string bytes = "1";
    text::append_character(bytes, code);
    bytes += "\u200D\U0001F468";
    const std::string shown = text::visible(bytes);
    const std::string bare = text::stripped(bytes);
    if (text::visible(shown) == shown && text::stripped(bare) == bare && text::visible(bare) == bare)
      ++right;
    else
      BOOST_ERROR("U+" << std::hex << static_cast<std::uint32_t>(code));
  }
  BOOST_TEST(right == characters);
}

BOOST_AUTO_TEST_CASE(the_table_is_in_order_and_says_of_which_unicode_it_is) {
  for (std::size_t i = 1; i < text::character_ranges.size(); ++i) {
    BOOST_REQUIRE(text::character_ranges[i - 1].first < text::character_ranges[i].first);
    BOOST_REQUIRE((text::character_ranges[i - 1].kind != text::character_ranges[i].kind));
  }
  BOOST_TEST(text::unicode_version == "15.0.0");
}

BOOST_AUTO_TEST_CASE(markup_cannot_be_closed_from_within) {
  BOOST_TEST(text::markup("<a href='x'>&\"\x01") == "&lt;a href=&#39;x&#39;&gt;&amp;&quot;\\u{1}");
  BOOST_TEST(text::markup("a\n\tb\xFF") == "a\n\tb\\xFF");
  BOOST_TEST(text::markup("plain") == "plain");
  BOOST_TEST(text::markup("") == "");
}
