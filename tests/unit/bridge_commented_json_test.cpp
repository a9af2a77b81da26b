#include "manifest/commented_json.hpp"

#define BOOST_TEST_MODULE bridge_commented_json_test
#include <boost/test/unit_test.hpp>

#include <string>

#include <toolwire/json.hpp>

using toolwire::parse_json;
using toolwire::bridge::without_comments;

BOOST_AUTO_TEST_CASE(comments_and_last_commas_become_spaces) {
  BOOST_TEST(without_comments("{\"a\": 1, // one\n \"b\": [1, 2,], /* two\n */ }") ==
             "{\"a\": 1,       \n \"b\": [1, 2 ]        \n    }");
  BOOST_TEST(without_comments("[1, /* last */ ]") == "[1             ]");
}

BOOST_AUTO_TEST_CASE(what_is_in_strings_stays) {
  for (const std::string text : {R"(["// no", "/* no */", "\"// no", "a,]", ",}"])", R"({"url": "http://x/*y*/"})"})
    BOOST_TEST(without_comments(text) == text);
}

BOOST_AUTO_TEST_CASE(a_byte_order_mark_goes_at_the_beginning_only) {
  BOOST_TEST(without_comments("\xEF\xBB\xBF{} // one") == "   {}       ");
  BOOST_TEST(without_comments("[\"\xEF\xBB\xBF\"]") == "[\"\xEF\xBB\xBF\"]");
  BOOST_TEST(without_comments(" \xEF\xBB\xBF{}") == " \xEF\xBB\xBF{}");
}

BOOST_AUTO_TEST_CASE(what_is_no_json_stays_none) {
  for (const char* const text : {"[,]", "{,}", "[1,,]", "{\"a\":,}", "/* open", "[1] / 2", "\"open // ", "\"\\"}) {
    BOOST_TEST_CONTEXT(text) {
      const std::string plain = without_comments(text);
      BOOST_TEST(plain.size() == std::string(text).size());
      BOOST_CHECK_THROW(parse_json(plain), toolwire::JsonError);
    }
  }
}

BOOST_AUTO_TEST_CASE(lines_stay_where_they_are) {
  const std::string text = "{\r\n/* a\r\nb */\n\"x\": 1\n}";
  const std::string plain = without_comments(text);
  BOOST_TEST(std::count(plain.begin(), plain.end(), '\n') == 4);
  BOOST_TEST(plain.find("\"x\"") == text.find("\"x\""));
}
