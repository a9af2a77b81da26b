// Tools whose schema is known only at run time: checked before they run, and their results before they leave.
#define BOOST_TEST_MODULE raw_tools_test
#include <boost/test/unit_test.hpp>
#include <limits>
#include <stdexcept>
#include <string>

#include "toolwire/testing.hpp"

namespace {

using toolwire::Context;
using toolwire::Json;
using toolwire::JsonArray;
using toolwire::JsonObject;
using toolwire::parse_json;
using toolwire::Server;
using toolwire::ServerOptions;
using toolwire::ToolInfo;
using toolwire::ToolResult;

const Json search_schema = parse_json(R"({
  "type": "object",
  "properties": {"query": {"type": "string"}, "limit": {"type": "integer", "minimum": 1, "maximum": 100}},
  "required": ["query"],
  "additionalProperties": false
})");

ToolInfo info(const char* name, const Json& input, const Json& output = nullptr) {
  return {.name = name, .description = "A tool", .input_schema = input, .output_schema = output};
}

Server make_server(const ServerOptions& options = {}) { return Server{{.name = "raw", .version = "1.0.0"}, options}; }

std::string refusal_of(const ToolInfo& tool) {
  Server server = make_server();
  try {
    server.tool(tool, [](const Json&) { return std::string("ran"); });
  } catch (const std::invalid_argument& error) {
    return error.what();
  }
  return "accepted";
}

BOOST_AUTO_TEST_CASE(arguments_that_fit_reach_the_tool_unchanged) {
  Server server = make_server();
  server.tool(info("search", search_schema),
              [](const Json& arguments, Context&) { return toolwire::to_json_text(arguments); });
  toolwire::testing::Client client{server};
  BOOST_TEST(client.call("search", {{"query", "mug"}, {"limit", 5}}).text() == R"({"query":"mug","limit":5})");
}

BOOST_AUTO_TEST_CASE(every_violation_is_listed_and_the_tool_does_not_run) {
  Server server = make_server();
  bool ran = false;
  server.tool(info("search", search_schema), [&](const Json&) {
    ran = true;
    return std::string();
  });
  toolwire::testing::Client client{server};
  auto result = client.call("search", {{"limit", 999}, {"colour", "red"}});
  BOOST_TEST(result.is_error);
  BOOST_TEST(!ran);
  for (const char* part : {"limit: 999 is not between 1 and 100", "query", "colour"}) {
    BOOST_TEST(result.text().find(part) != std::string::npos, part << " in " << result.text());
  }
}

BOOST_AUTO_TEST_CASE(the_schema_is_listed_as_it_was_given) {
  Server server = make_server();
  server.tool(info("search", search_schema), [](const Json&) { return std::string(); });
  toolwire::testing::Client client{server};
  BOOST_TEST(client.list_tools().at(0).input_schema == search_schema);
}

BOOST_AUTO_TEST_CASE(a_schema_that_is_unusable_stops_registration_with_the_name_of_the_tool) {
  struct Case {
    const char* schema;
    const char* part;
  };
  for (const Case& bad : {Case{R"({"type":"object","properties":5})", "properties"},
                          Case{R"({"$schema":"http://json-schema.org/draft-04/schema#","type":"object"})", "draft-04"},
                          Case{R"({"type":"array"})", "\"type\": \"object\""}, Case{R"(null)", "\"type\": \"object\""},
                          Case{R"({"type":"object","$ref":"#/$defs/gone"})", "gone"}}) {
    std::string why = refusal_of(info("broken", parse_json(bad.schema)));
    BOOST_TEST(why.find("tool \"broken\"") == 0U, why);
    BOOST_TEST(why.find(bad.part) != std::string::npos, why);
  }
  BOOST_TEST(refusal_of(info("no spaces", search_schema)).find("tool \"no spaces\"") == 0U);
}

BOOST_AUTO_TEST_CASE(what_says_how_tasks_of_a_tool_are_is_refused_where_it_has_none) {
  ToolInfo only = info("quick", search_schema);
  only.only_as_task = true;
  ToolInfo asks = info("quick", search_schema);
  asks.asks_before_task = true;
  BOOST_TEST(refusal_of(only) == "tool \"quick\": only_as_task is for tools that are long_running");
  BOOST_TEST(refusal_of(asks) == "tool \"quick\": asks_before_task is for tools that are long_running");
  only.long_running = true;
  BOOST_CHECK_NO_THROW(make_server().tool(only, [](const Json&) { return std::string(); }));
}

BOOST_AUTO_TEST_CASE(what_no_list_could_show_stops_registration_with_its_name) {
  const double nan = std::numeric_limits<double>::quiet_NaN();
  const JsonObject meta{{"deep", JsonArray{JsonObject{{"a", std::numeric_limits<double>::infinity()}}}}};
  const Json schema = JsonObject{{"type", "object"}, {"default", nan}};
  Server server = make_server();
  server.tool("good", "Good", [] { return 1; });
  const auto objection_to = [](const auto& add) -> std::string {
    try {
      add();
    } catch (const std::invalid_argument& error) {
      return error.what();
    }
    return "not refused";
  };
  const std::string infinite = "its meta: an infinite number cannot be written as JSON; expected a finite one";
  const std::string not_a_number = " schema is unusable: NaN cannot be written as JSON; expected a finite number";
  const auto raw = [](const Json&) { return Json(JsonObject{}); };
  BOOST_TEST(objection_to([&] { server.tool({.name = "t", .meta = meta}, [] { return 1; }); }) ==
             "tool \"t\": " + infinite);
  BOOST_TEST(objection_to([&] { server.tool({.name = "t", .input_schema = schema}, raw); }) ==
             "tool \"t\": its input" + not_a_number);
  BOOST_TEST(objection_to([&] {
               server.tool({.name = "t", .input_schema = {{"type", "object"}}, .output_schema = schema}, raw);
             }) == "tool \"t\": its output" + not_a_number);
  BOOST_TEST(objection_to([&] {
               server.change_tools(
                   {.replace = {toolwire::make_tool({.name = "good", .meta = meta}, [] { return 2; })}});
             }) == "tool \"good\": " + infinite);
  BOOST_TEST(objection_to([&] { server.prompt({.name = "p", .meta = meta}, [] { return "p"; }); }) ==
             "prompt \"p\": " + infinite);
  BOOST_TEST(objection_to([&] { server.resource({.uri = "a://b", .meta = meta}, [] { return "r"; }); }) ==
             "resource \"a://b\": " + infinite);
  BOOST_TEST(objection_to([&] {
               server.resource_template({.uri_template = "a://{b}", .meta = meta}, [](const Json&) { return "r"; });
             }) == "resource template \"a://{b}\": " + infinite);
  BOOST_TEST(objection_to([&] { server.describe_tools(meta); }) == "tools/list: " + infinite);
  toolwire::testing::Client client(server);
  BOOST_TEST(client.list_tools().size() == 1u);
  BOOST_TEST(client.call("good").text() == "1");
}

BOOST_AUTO_TEST_CASE(by_option_a_tool_with_a_bad_schema_is_listed_and_its_calls_say_why) {
  Server server = make_server({.on_bad_schema = toolwire::BadSchema::fail_calls});
  server.tool(info("broken", parse_json(R"({"type":"object","properties":5})")),
              [](const Json&) { return std::string("ran"); });
  server.tool(info("search", search_schema), [](const Json&) { return std::string("found"); });
  toolwire::testing::Client client{server};
  auto tools = client.list_tools();
  BOOST_TEST(tools.size() == 2U);
  BOOST_TEST(tools.at(0).input_schema == parse_json(R"({"type":"object"})"));
  auto result = client.call("broken");
  BOOST_TEST(result.is_error);
  BOOST_TEST(result.text().find("properties") != std::string::npos, result.text());
  BOOST_TEST(client.call("search", {{"query", "mug"}}).text() == "found");
}

BOOST_AUTO_TEST_CASE(a_result_that_breaks_the_output_schema_is_never_sent) {
  const Json output = parse_json(R"({"type":"object","properties":{"hits":{"type":"integer"}},"required":["hits"]})");
  Server server = make_server();
  server.tool(info("good", search_schema, output), [](const Json&) { return Json(JsonObject{{"hits", 3}}); });
  server.tool(info("bad", search_schema, output), [](const Json&) { return Json(JsonObject{{"hits", "secret"}}); });
  server.tool(info("none", search_schema, output), [](const Json&) { return ToolResult::text("secret"); });
  server.tool(info("error", search_schema, output), [](const Json&) { return ToolResult::error("not today"); });
  toolwire::testing::Client client{server};
  const JsonObject arguments{{"query", "mug"}};
  BOOST_TEST(client.call("good", arguments).structured.value() == parse_json(R"({"hits":3})"));
  for (const char* tool : {"bad", "none"}) {
    auto result = client.call(tool, arguments);
    BOOST_TEST(result.is_error);
    BOOST_TEST(!result.structured.has_value());
    BOOST_TEST(toolwire::to_json_text(result.raw).find("secret") == std::string::npos);
  }
  BOOST_TEST(client.call("error", arguments).text() == "not today");
}

}  // namespace
