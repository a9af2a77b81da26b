#include "server/tool_text.hpp"

#define BOOST_TEST_MODULE tool_text_test
#include <boost/test/unit_test.hpp>
#include <toolwire/json.hpp>

#include <string>

using toolwire::parse_json;
using toolwire::ToolInfo;
using toolwire::server::text_of;
using toolwire::server::words_of;

BOOST_AUTO_TEST_CASE(what_a_schema_takes_is_said_in_few_words) {
  BOOST_TEST(words_of(parse_json(R"({"type":"number"})")) == "number");
  BOOST_TEST(words_of(parse_json(R"({"type":"integer","minimum":1,"maximum":100})")) == "integer from 1 to 100");
  BOOST_TEST(words_of(parse_json(R"({"type":"integer","minimum":0})")) == "integer of 0 or more");
  BOOST_TEST(words_of(parse_json(R"({"type":"string","maxLength":9})")) == "string up to 9 characters");
  BOOST_TEST(words_of(parse_json(R"({"type":"string","format":"date"})")) == "string (date)");
  BOOST_TEST(words_of(parse_json(R"({"type":["string","null"]})")) == "string | null");
  BOOST_TEST(words_of(parse_json(R"({"enum":["relevance","date",3]})")) == "relevance | date | 3");
  BOOST_TEST(words_of(parse_json(R"({"type":"array","items":{"type":"string"}})")) == "list of string");
  BOOST_TEST(words_of(parse_json(R"({"anyOf":[{"type":"string"},{"const":1}]})")) == "string | 1");
  BOOST_TEST(words_of(parse_json(R"({"type":"array","items":{"$ref":"#/$defs/Part"}})")) == "list of Part");
  BOOST_TEST(words_of(parse_json("{}")) == "any JSON");
  BOOST_TEST(words_of(parse_json("true")) == "any JSON");
}

BOOST_AUTO_TEST_CASE(a_tool_is_its_name_its_description_and_an_argument_a_line) {
  const ToolInfo info{.name = "search", .description = "Search.\nSlowly.", .input_schema = parse_json(R"({
      "type":"object","required":["query"],"properties":{
        "query":{"type":"string","description":"Text to look for"},
        "limit":{"type":"integer","default":10,"description":"How many"},
        "sort":{"enum":["a","b"]}}})")};
  BOOST_TEST(text_of(info) ==
             "search: Search.\n  Slowly.\n"
             "    query  string            Text to look for\n"
             "    limit  integer, else 10  How many\n"
             "    sort   a | b, optional\n");
}

BOOST_AUTO_TEST_CASE(a_tool_without_description_and_arguments_is_its_name) {
  BOOST_TEST(text_of(ToolInfo{.name = "ping"}) == "ping\n");
}
