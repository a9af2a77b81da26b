#include "activities/mcp/listing.hpp"

#define BOOST_TEST_MODULE bridge_mcp_parts_test
#include <algorithm>
#include <boost/test/unit_test.hpp>
#include <chrono>
#include <exception>
#include <memory>
#include <string>
#include <vector>

#include "activities/mcp/offered_tool.hpp"
#include "activities/mcp/open_questions.hpp"
#include "activities/mcp/results.hpp"
#include "activities/mcp/tool_names.hpp"
#include "misleading_texts.hpp"
#include "process/log_lines.hpp"
#include "registry/clean_schema.hpp"

using namespace std::chrono_literals;
using namespace toolwire::bridge::mcp;
using toolwire::Json;
using toolwire::JsonObject;
using toolwire::parse_json;
using toolwire::bridge::clean_schema;
using toolwire::bridge::LogLines;
using toolwire::bridge::passable_meta;

namespace {

const std::chrono::steady_clock::time_point start{1h};

Listing listing(const char* tools) { return listing_from(parse_json(std::string{R"({"tools":)"} + tools + "}")); }

}  // namespace

BOOST_AUTO_TEST_CASE(what_hides_in_the_names_and_descriptions_of_a_back_end_is_left_out) {
  for (const toolwire::tests::MisleadingText& it : toolwire::tests::misleading_texts) {
    const Json schema = JsonObject{{"type", "object"}, {"title", it.bytes}, {"description", it.bytes}};
    const Json tool =
        JsonObject{{"name", it.bytes}, {"title", it.bytes}, {"description", it.bytes}, {"inputSchema", schema}};
    const auto info = tool_info_from(tool, mapped_name(it.bytes));
    const std::string stripped(it.stripped);
    BOOST_TEST(info.description == stripped, it.what);
    BOOST_TEST(info.title == stripped, it.what);
    BOOST_TEST(info.meta.at("dev.toolwire/name").as_string() == stripped, it.what);
    BOOST_TEST(info.input_schema.at("description").as_string() == stripped, it.what);
    BOOST_TEST(info.input_schema.at("title").as_string() == stripped, it.what);
    for (const char c : info.name) BOOST_TEST((c == '_' || (c > 0x20 && c < 0x7F)), it.what);
  }
}

BOOST_AUTO_TEST_CASE(a_code_that_is_no_integer_of_32_bits_is_no_other_code) {
  const auto trouble = [](const char* error) { return trouble_from_error(parse_json(error), "b"); };
  const Trouble refused = trouble(R"({"code":-32602,"message":"no such thing"})");
  BOOST_TEST(refused.refused_with == -32602);
  BOOST_TEST(refused.text == "The back-end \"b\" refused the call: no such thing (-32602)");
  for (const char* const wrong : {R"({"code":4294934694,"message":"no"})", R"({"code":-4294999898})", R"({"code":"x"})",
                                  R"({"message":"no"})", "7", "null"}) {
    const Trouble without = trouble(wrong);
    BOOST_TEST(without.refused_with == toolwire::error_code::internal_error, wrong);
    BOOST_TEST(without.text.find("an error without an integer code: " + std::string(wrong)) != std::string::npos,
               without.text);
  }
}

BOOST_AUTO_TEST_CASE(schemas_are_cleaned_where_they_speak_and_kept_where_they_rule) {
  const Json schema = parse_json(
      R"({"type":"object","description":"\u001b[1mbold","properties":{"description":{"const":"\u001b[1m","title":"\u0007t"}},"anyOf":[{"$comment":"\u0000c"}]})");
  const Json clean = parse_json(
      R"({"type":"object","description":"bold","properties":{"description":{"const":"\u001b[1m","title":"t"}},"anyOf":[{"$comment":"c"}]})");
  BOOST_TEST(clean_schema(schema) == clean);
}

BOOST_AUTO_TEST_CASE(a_listing_says_what_was_expected_of_it) {
  BOOST_CHECK_THROW(listing_from(parse_json("[]")), std::invalid_argument);
  try {
    listing(R"([{"name":"a","inputSchema":{}},{"name":""},{"name":"b"},{"name":"a","inputSchema":{}}])");
    BOOST_ERROR("taken");
  } catch (const std::invalid_argument& error) {
    BOOST_TEST(error.what() == std::string{"tools[1].name: expected a string that is not empty\n"
                                           "tools[3].name: \"a\" is listed twice; the first one counts\n"
                                           "the inputSchema of \"b\": expected an object"});
  }
  const Listing two = listing(R"([{"name":"a","inputSchema":{}},{"name":"b","inputSchema":{}}])");
  BOOST_TEST(listing_from(to_json(two)).tools == two.tools);
}

BOOST_AUTO_TEST_CASE(what_tells_what_a_tool_does_is_compared_and_nothing_else) {
  const Listing pinned = listing(
      R"([{"name":"same","inputSchema":{"a":1,"b":2},"_meta":{"n":1}},{"name":"text","description":"x","inputSchema":{}},
          {"name":"more","inputSchema":{}},{"name":"gone","inputSchema":{}},
          {"name":"hint","inputSchema":{},"annotations":{"readOnlyHint":true}}])");
  const Listing now = listing(
      R"([{"name":"new","inputSchema":{}},{"name":"same","inputSchema":{"b":2,"a":1},"_meta":{"n":2}},
          {"name":"text","description":"y","inputSchema":{}},
          {"name":"more","title":"t","inputSchema":{"x":1},"outputSchema":{}},
          {"name":"hint","inputSchema":{},"annotations":{"readOnlyHint":false}}])");
  const auto changed = changed_tools(pinned, now);
  BOOST_TEST(changed.size() == 3U);
  BOOST_TEST(changed.at("text") == "its description differs");
  BOOST_TEST(changed.at("more") == "its title, inputSchema and outputSchema differ");
  BOOST_TEST(changed.at("hint") == "its annotations differ");
  BOOST_TEST(missing_in(now, pinned) == std::vector<std::string>{"gone"});
  BOOST_TEST(missing_in(pinned, now) == std::vector<std::string>{"new"});
}

BOOST_AUTO_TEST_CASE(names_are_mapped_prefixed_on_collision_and_stay) {
  ToolNames names({"reserved"});
  BOOST_TEST(names.name("a", "read file/\u00e9", Prefix::on_conflict) == "read_file__");
  BOOST_TEST(names.name("b", "echo", Prefix::on_conflict) == "echo");
  BOOST_TEST(names.name("a", "echo", Prefix::on_conflict) == "a_echo");
  BOOST_TEST(names.name("b", "echo", Prefix::on_conflict) == "echo");
  BOOST_TEST(names.name("a", "reserved", Prefix::on_conflict) == "a_reserved");
  BOOST_TEST(names.name("a", "e.cho", Prefix::always) == "a_e_cho");
  BOOST_TEST(names.name("a", "e/cho", Prefix::always) == "a_e_cho_2");
  BOOST_TEST(names.name("a", "", Prefix::on_conflict) == "_");
  BOOST_TEST(names.name("c", "echo", Prefix::never).empty());
  BOOST_TEST(names.name("c", "own", Prefix::never) == "own");
  const std::string longest(200, 'x');
  BOOST_TEST(names.name("a", longest, Prefix::on_conflict) == std::string(128, 'x'));
  BOOST_TEST(names.name("b", longest, Prefix::on_conflict).size() == 128U);
  BOOST_TEST(names.name("c", longest, Prefix::always) != names.name("c", longest + "y", Prefix::always));
}

BOOST_AUTO_TEST_CASE(uris_are_prefixed_unless_that_is_not_wanted) {
  UriPrefixes uris;
  BOOST_TEST(uris.prefix("a", "file:///x", Prefix::on_conflict).value() == "");
  BOOST_TEST(uris.prefix("b_c", "file:///x", Prefix::on_conflict).value() == "b-c+");
  BOOST_TEST(uris.prefix("a", "file:///y", Prefix::always).value() == "a+");
  BOOST_TEST(!uris.prefix("d", "file:///x", Prefix::never));
  BOOST_TEST(uris.prefix("d", "file:///z", Prefix::never).value() == "");
}

BOOST_AUTO_TEST_CASE(only_usual_and_named_variables_are_inherited) {
  const std::vector<std::string_view> own{"HOME=/h",        "LC_ALL=C",       "https_proxy=p", "NO_PROXY=n",
                                          "GITHUB_TOKEN=t", "AWS_REGION=r",   "AWS_KEY=k",     "LD_PRELOAD=l",
                                          "XDG_X=x",        "SSL_CERT_DIR=d", "HOMEX=no",      "LANGUAGE=no"};
  const auto names = [](const std::map<std::string, std::string>& variables) {
    std::string all;
    for (const auto& [name, value] : variables) all += (all.empty() ? "" : " ") + name;
    return all;
  };
  using Extent = InheritedEnvironment::Extent;
  BOOST_TEST(names(passed_on({}, own)) == "HOME LC_ALL NO_PROXY SSL_CERT_DIR XDG_X https_proxy");
  BOOST_TEST(names(passed_on({.extent = Extent::none, .named = {"AWS_*", "HOME"}}, own)) == "AWS_KEY AWS_REGION HOME");
  BOOST_TEST(passed_on({.extent = Extent::all}, own).size() == own.size());
  BOOST_TEST(passed_on({}, own).at("HOME") == "/h");
}

BOOST_AUTO_TEST_CASE(open_questions_lead_back_once_and_only_here) {
  OpenQuestions questions(2, 10s);
  OpenQuestions others(2, 10s);
  const auto prefix = questions.open(nullptr, start);
  const auto second = questions.open(nullptr, start + 5s);
  BOOST_REQUIRE((prefix && second));
  BOOST_TEST(*prefix != *second);
  BOOST_TEST(!questions.open(nullptr, start));  // as many as may be open
  BOOST_TEST(!questions.take({{"unrelated", 1}}).answered);
  const JsonObject answers{{*prefix + "confirm", JsonObject{}}};
  BOOST_TEST(others.take(answers).answered);
  BOOST_TEST(others.take(answers).prefix == "");
  BOOST_TEST(questions.take(answers).prefix == *prefix);
  BOOST_TEST(questions.take(answers).prefix == "");
  BOOST_TEST((questions.next() == start + 15s));
  BOOST_TEST(questions.take_old(start + 14s).empty());
  BOOST_TEST(questions.take_old(start + 15s).size() == 1U);
}

BOOST_AUTO_TEST_CASE(a_flood_of_log_lines_is_counted_instead_of_written) {
  std::vector<std::string> lines;
  LogLines log("x", [&](const std::string& line) { lines.push_back(line); });
  for (std::size_t i = 0; i < LogLines::per_second + 7; ++i) log("a\nb\x1b[1m", start);
  BOOST_TEST_REQUIRE(lines.size() == LogLines::per_second + 1);
  BOOST_TEST(lines[LogLines::per_second - 1] == "x: a b");
  BOOST_TEST(lines.back() == "x: more than 20 lines in a second: those that follow are dropped");
  log("later", start + 1s);
  BOOST_TEST(lines.back() == "x: later (7 lines before this one were dropped)");
}

BOOST_AUTO_TEST_CASE(no_line_of_a_traceback_is_dropped_beside_a_flood) {
  const std::vector<std::string> python{"Traceback (most recent call last):",
                                        "  File \"tool.py\", line 3, in run",
                                        "    raise KeyError(name)",
                                        "KeyError: 'x'",
                                        "",
                                        "json.decoder.JSONDecodeError: Expecting value"};
  const std::vector<std::string> node{"TypeError: x is not a function", "    at run (file:///tool.mjs:3:9)"};
  for (const std::vector<std::string>& traceback : {python, node}) {
    std::vector<std::string> lines;
    LogLines log("x", [&](const std::string& line) { lines.push_back(line); });
    for (std::size_t i = 0; i < 3 * LogLines::per_second; ++i) log("flood", start);
    for (const std::string& line : traceback) log(line, start);
    log("flood", start);
    for (const std::string& line : traceback) {
      const auto written = [&](const std::string& one) { return one.starts_with("x: " + line); };
      if (!line.empty()) BOOST_TEST(std::ranges::any_of(lines, written), line);
    }
    BOOST_TEST(std::ranges::count(lines, "x: flood") == std::ptrdiff_t{LogLines::per_second});
  }
}

BOOST_AUTO_TEST_CASE(what_the_bridge_says_is_not_dropped_beside_a_flood) {
  std::vector<std::string> lines;
  LogLines log("x", [&](const std::string& line) { lines.push_back(line); });
  for (std::size_t i = 0; i < 2 * LogLines::traced_per_second; ++i) log("    at somewhere", start);
  for (std::size_t i = 0; i < 2 * LogLines::per_second; ++i) log("flood", start);
  log.own("not loaded: a.py", start);
  BOOST_TEST(lines.back().starts_with("x: not loaded: a.py ("), lines.back());
  for (std::size_t i = 0; i < 2 * LogLines::traced_per_second; ++i) log.own("not loaded", start);
  BOOST_TEST(std::ranges::count(lines, "x: not loaded") == std::ptrdiff_t{LogLines::traced_per_second} - 1);
}

BOOST_AUTO_TEST_CASE(tracebacks_have_a_bound_of_their_own) {
  std::vector<std::string> lines;
  LogLines log("x", [&](const std::string& line) { lines.push_back(line); });
  for (std::size_t i = 0; i < 2 * LogLines::traced_per_second; ++i) log("    at somewhere", start);
  BOOST_TEST(lines.size() == LogLines::traced_per_second + LogLines::per_second + 1);
}

BOOST_AUTO_TEST_CASE(a_result_keeps_its_content_and_loses_what_belongs_to_the_connection) {
  auto result = tool_result_from(parse_json(
      R"({"resultType":"complete","content":[{"type":"text","text":"t","future":1}],"structuredContent":[1],"isError":true,
          "_meta":{"io.modelcontextprotocol/serverInfo":{},"vendor/x":1}})"));
  BOOST_TEST(std::get<Json>(result.content.at(0).item) == parse_json(R"({"type":"text","text":"t","future":1})"));
  BOOST_TEST(*result.structured == parse_json("[1]"));
  BOOST_TEST(result.is_error);
  BOOST_TEST(Json(result.meta) == parse_json(R"({"vendor/x":1})"));
  BOOST_TEST(tool_result_from(parse_json("3")).is_error);
}

BOOST_AUTO_TEST_CASE(a_malformed_block_is_an_error_that_names_the_back_end) {
  for (const char* blocks :
       {R"({})", R"("text")", R"([3])", R"([null])", R"([{"type":"text","text":"t"},{"text":"t"}])", R"([{"type":5}])",
        R"([{"type":"text"}])", R"([{"type":"text","text":5}])", R"([{"type":"image","data":"AA=="}])",
        R"([{"type":"audio","mimeType":"a/b"}])", R"([{"type":"resource_link","uri":"a:b"}])",
        R"([{"type":"resource"}])", R"([{"type":"resource","resource":{"uri":"a:b"}}])",
        R"([{"type":"resource","resource":{"text":"t"}}])", R"([{"type":"of a later revision"}])"}) {
    const auto result = tool_result_from(parse_json(std::string(R"({"content":)") + blocks + "}"), {.name = "x"});
    BOOST_TEST(result.is_error, blocks);
    BOOST_REQUIRE(result.content.size() == 1U);
    const std::string text = std::get<toolwire::TextContent>(result.content.front().item).text;
    BOOST_TEST(text.find("The back-end \"x\" sent a result that is malformed: content") != std::string::npos, text);
    BOOST_TEST((result.meta.at("dev.toolwire/error").as_object().at("outcome") == "unknown"), blocks);
  }
  for (const char* blocks :
       {R"([])", R"([{"type":"text","text":""}])", R"([{"type":"resource","resource":{"uri":"a:b","blob":""}}])"})
    BOOST_TEST(!tool_result_from(parse_json(std::string(R"({"content":)") + blocks + "}")).is_error, blocks);
}

BOOST_AUTO_TEST_CASE(a_result_that_does_not_say_whether_it_has_failed_is_an_error) {
  for (const char* is_error : {"\"true\"", "\"false\"", "1", "0", "{}"}) {
    const auto result = tool_result_from(
        parse_json(std::string(R"({"content":[{"type":"text","text":"disk full"}],"isError":)") + is_error + "}"),
        {.name = "x"});
    BOOST_TEST(result.is_error, is_error);
    BOOST_REQUIRE(result.content.size() == 1U);
    BOOST_TEST(
        std::get<toolwire::TextContent>(result.content.front().item)
            .text.starts_with("The back-end \"x\" sent a result that is malformed: isError: expected true or false"));
    BOOST_TEST((result.meta.at("dev.toolwire/error").as_object().at("outcome") == "unknown"), is_error);
  }
  BOOST_TEST(!tool_result_from(parse_json(R"({"content":[],"isError":null})")).is_error);
  BOOST_TEST(!tool_result_from(parse_json(R"({"content":[],"isError":false})")).is_error);
}

BOOST_AUTO_TEST_CASE(what_cannot_be_seen_in_a_text_stands_as_escapes) {
  const auto text_from = [](const char* result) {
    const auto made = tool_result_from(parse_json(result), {.name = "x"});
    BOOST_TEST(!made.is_error);
    return std::string(std::get<Json>(made.content.at(0).item).at("text").as_string());
  };
  BOOST_TEST(text_from(R"({"content":[{"type":"text","text":"a\u001b]52;c;eA==\u0007\u202eb\r\n\tc"}]})") ==
             "a\\u{1B}]52;c;eA==\\u{7}\\u{202E}b\n\tc");
  BOOST_TEST(text_from(R"({"content":[{"type":"text","text":"é 👩‍👩‍👧\n"}]})") ==
             "é 👩‍👩‍👧\n");
  BOOST_TEST(
      text_from(R"({"content":[{"type":"text","text":"{\"a\":\"\u202e\"}"}],"structuredContent":{"a":"\u202e"}})") ==
      "{\"a\":\"\u202e\"}");  // NOLINT(misc-misleading-bidirectional): meant
  BOOST_TEST(text_from(R"({"content":[{"type":"text","text":"{\"a\":\"\u202e\"}"}],"structuredContent":{"a":"b"}})") ==
             R"({"a":"\u{202E}"})");
}

BOOST_AUTO_TEST_CASE(a_description_of_megabytes_is_cut_with_a_notice) {
  const std::string prose(5'000'000, 'x');
  const Json tool = JsonObject{
      {"name", "t"}, {"description", prose}, {"inputSchema", JsonObject{{"type", "object"}, {"description", prose}}}};
  const auto info = tool_info_from(tool, "t");
  BOOST_TEST(info.description.size() < 33'000U);
  BOOST_TEST(info.description.ends_with("[cut: of 5000000 bytes]"));
  BOOST_TEST(toolwire::to_json_text(clean_schema(tool.at("inputSchema"))).size() < 33'000U);
}

BOOST_AUTO_TEST_CASE(metadata_goes_on_without_what_belongs_to_the_connection) {
  const Json meta = parse_json(
      R"({"progressToken":1,"traceparent":"00-…","io.modelcontextprotocol/protocolVersion":"2026-07-28",
          "io.modelcontextprotocol/clientCapabilities":{"elicitation":{"url":{}},"extensions":{"x":{}}}})");
  BOOST_TEST(Json(passable_meta(meta.as_object())) == parse_json(R"({"traceparent":"00-…"})"));
  BOOST_TEST(
      Json(meta_for_back_end(meta.as_object())) ==
      parse_json(R"({"traceparent":"00-…","io.modelcontextprotocol/clientCapabilities":{"elicitation":{"url":{}}}})"));
}

BOOST_AUTO_TEST_CASE(what_a_server_says_of_a_tool_is_kept_and_its_own_name_noted) {
  const Json tool = parse_json(
      R"({"name":"a.b","description":"d\u001b[1m","inputSchema":{"type":"object"},"outputSchema":{"type":"object"},
          "annotations":{"title":"T","readOnlyHint":true,"destructiveHint":false,"idempotentHint":"no"},
          "icons":[{"src":"https://x/i.png","sizes":["48x48"]},{"src":"file:///etc/passwd"}],"_meta":{"v":1}})");
  const auto info = tool_info_from(tool, "a_b");
  BOOST_TEST(info.name == "a_b");
  BOOST_TEST(info.title == "T");
  BOOST_TEST(info.description == "d");
  BOOST_TEST((info.read_only == true));
  BOOST_TEST((info.destructive == false));
  BOOST_TEST(!info.idempotent.has_value());
  BOOST_TEST(!info.open_world.has_value());
  BOOST_REQUIRE(info.icons.size() == 1U);
  BOOST_TEST(info.icons[0].sizes == std::vector<std::string>{"48x48"});
  BOOST_TEST(Json(info.meta) == parse_json(R"({"v":1,"dev.toolwire/name":"a.b"})"));
  BOOST_TEST(info.output_schema == parse_json(R"({"type":"object"})"));
}
