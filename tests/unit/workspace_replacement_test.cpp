#include "workspace/changes/replacement.hpp"

#define BOOST_TEST_MODULE workspace_replacement_test
#include <boost/test/unit_test.hpp>
#include <stop_token>
#include <string>
#include <toolwire/error.hpp>

using workspace::Replacement;
using workspace::ReplacementOptions;

namespace {

std::string replace(std::string_view text, std::string_view pattern, std::string_view by,
                    ReplacementOptions options = {}) {
  std::size_t places = 0;
  return Replacement{pattern, by, options}.apply(text, text, places);
}

std::string complaint(std::string_view pattern, std::string_view by) {
  try {
    replace("text", pattern, by);
  } catch (const toolwire::ToolError& error) {
    return error.what();
  }
  return {};
}

const ReplacementOptions across{.multiline = true};

}  // namespace

BOOST_AUTO_TEST_CASE(every_match_is_replaced_and_counted) {
  std::size_t places = 0;
  BOOST_TEST((Replacement{"o", "0", {}}.apply("foo\nbo\n", "foo\nbo\n", places) == "f00\nb0\n"));
  BOOST_TEST(places == 3U);
  BOOST_TEST(replace("abc", "x", "y") == "abc");
  BOOST_TEST(replace("aXbx", "x", "-", {.ignore_case = true}) == "a-b-");
}

BOOST_AUTO_TEST_CASE(groups_stand_for_what_they_matched) {
  BOOST_TEST(replace("f(a, b)", R"((\w+), (?P<second>\w+))", "${second}, $1") == "f(b, a)");
  BOOST_TEST(replace("a", "a", "[$0]$$1 $ $.") == "[a]$1 $ $.");
  BOOST_TEST(replace("a", "(a)|(b)", "<$1$2>") == "<a>");
  BOOST_TEST(replace("a", "(a)", "${1}0") == "a0");
  BOOST_TEST(replace("a.b $1", ".b $1", "$0\\1", {.literal = true}) == "a$0\\1");
}

BOOST_AUTO_TEST_CASE(anchors_and_empty_matches_stay_within_lines) {
  BOOST_TEST(replace("a\nb\n", "^", "> ") == "> a\n> b\n");
  BOOST_TEST(replace("a\nb", "$", ";") == "a;\nb;");
  BOOST_TEST(replace("abc\n", "x*", "-") == "-a-b-c-\n");
  BOOST_TEST(replace("\u00e9\u00e8\n", "x*", "-") == "-\u00e9-\u00e8-\n");
  BOOST_TEST(replace("aab", "a*", "-") == "-b-");
  BOOST_TEST(replace("a\nb\n", "^", "> ", across) == "> a\n> b\n");
  BOOST_TEST(replace("a\n\nb\n", "a\\s+b", "c") == "a\n\nb\n");
  BOOST_TEST(replace("a\n\nb\n", "a\\s+b", "c", across) == "c\n");
  BOOST_TEST(replace("", "x*", "y").empty());
}

BOOST_AUTO_TEST_CASE(line_ends_stay_and_new_ones_are_those_of_the_text) {
  BOOST_TEST(replace("a;\r\nb;\r\n", ";$", "") == "a\r\nb\r\n");
  BOOST_TEST(replace("a\r\nb\r\nc\r\n", "a\nb", "x\ny", across) == "x\r\ny\r\nc\r\n");
  BOOST_TEST(replace("a\r\nb\nc\n", "(?s)(a.b)", "<$1>", across) == "<a\r\nb>\nc\n");
  BOOST_TEST(replace("a\r\nb\r\n", "b", "b\nc") == "a\r\nb\r\nc\r\n");
  BOOST_TEST(replace("a\r\nb\r\n", "\r", "") == "a\nb\n");
  BOOST_TEST(replace("a\r\nb\n", "[ab]", "x\ny") == "x\r\ny\r\nx\ny\n");
  BOOST_TEST(replace("a\nb\r\nc\r\n", "(?s)a(.)b(.)c", "c$1b$2a", across) == "c\nb\r\na\r\n");
  BOOST_TEST(replace("a\r\r\nb\r\n", "b", "c", across) == "a\r\r\nc\r\n");
}

BOOST_AUTO_TEST_CASE(what_is_hidden_is_not_replaced) {
  std::size_t places = 0;
  const Replacement all{".+", "x", {}};
  BOOST_CHECK_EXCEPTION(all.apply("a\nsecret\n", "a\n******\n", places), toolwire::ToolError, [](const auto& error) {
    return std::string(error.what()).find("line 2") != std::string::npos;
  });
  BOOST_TEST((Replacement{"a", "b", {}}.apply("a\nsecret\n", "a\n******\n", places) == "b\nsecret\n"));
}

BOOST_AUTO_TEST_CASE(a_stop_request_ends_it) {
  std::stop_source stop;
  stop.request_stop();
  std::size_t places = 0;
  for (const ReplacementOptions& options : {ReplacementOptions{}, across}) {
    const Replacement what{"a", "b", options};
    BOOST_CHECK_THROW(what.apply("a\na\n", "a\na\n", places, stop.get_token()), toolwire::ToolError);
  }
}

BOOST_AUTO_TEST_CASE(a_replacement_that_cannot_be_meant_is_refused_with_what_is_expected) {
  for (const char* by : {"$1", "$name", "${", "${x}", "\\1", "${}", "$99999999999"}) {
    BOOST_TEST(complaint("a", by).starts_with("replacement: "), by);
    BOOST_TEST(complaint("a", by).find("expected text in which $1") != std::string::npos, by);
  }
  BOOST_TEST(complaint("(", "x").starts_with("pattern: "));
  BOOST_TEST(complaint("", "x").starts_with("pattern: is empty"));
}
