#include "server/one_call.hpp"

#define BOOST_TEST_MODULE one_call_test
#include <boost/test/unit_test.hpp>
#include <toolwire/server.hpp>

#include <string>

using toolwire::Json;
using toolwire::JsonObject;
using toolwire::parse_json;
using toolwire::Server;
using toolwire::server::CallReport;
using toolwire::server::OneCall;
using toolwire::server::report_of;

namespace {

CallReport report(const char* response, bool as_json = false) { return report_of(parse_json(response), as_json); }

CallReport call(const std::string& tool, const Json& arguments) {
  Server server{{.name = "test", .version = "1"}};
  server.tool("greet", "Greet", [] { return std::string("hello"); });
  server.tool({.name = "twice", .input_schema = parse_json(R"({"type":"object"})")}, [](const Json& json) {
    return std::string(json.at("word").as_string()) + std::string(json.at("word").as_string());
  });
  server.tool("refuse", "Refuse", [](toolwire::Context&) -> std::string { throw toolwire::ToolError("not today"); });
  server.tool({.name = "build", .long_running = true, .only_as_task = true}, [] { return std::string("built"); });
  server.tool({.name = "break", .long_running = true, .only_as_task = true},
              []() -> std::string { throw toolwire::ToolError("broken"); });
  return OneCall([&server](toolwire::Transport& transport) { server.run(transport); }).call(tool, arguments, false);
}

}  // namespace

BOOST_AUTO_TEST_CASE(text_is_printed_as_it_is_and_other_content_as_json) {
  const CallReport printed =
      report(R"({"id":1,"result":{"content":[{"type":"text","text":"a\nb"},{"type":"image","data":"AA=="}]}})");
  BOOST_TEST(printed.status == 0);
  BOOST_TEST(printed.out == "a\nb\n{\"type\":\"image\",\"data\":\"AA==\"}\n");
  BOOST_TEST(printed.error == "");
}

BOOST_AUTO_TEST_CASE(structured_content_is_printed_once) {
  BOOST_TEST(
      report(R"({"result":{"content":[{"type":"text","text":"{\"a\": 1}"}],"structuredContent":{"a":1}}})").out ==
      "{\"a\": 1}\n");
  BOOST_TEST(report(R"({"result":{"content":[{"type":"text","text":"one"}],"structuredContent":{"a":1}}})").out ==
             "one\n{\"a\":1}\n");
}

BOOST_AUTO_TEST_CASE(an_error_of_the_tool_goes_to_standard_error) {
  const CallReport printed = report(R"({"result":{"isError":true,"content":[{"type":"text","text":"no"}]}})");
  BOOST_TEST(printed.status == 1);
  BOOST_TEST(printed.out == "");
  BOOST_TEST(printed.error == "no\n");
}

BOOST_AUTO_TEST_CASE(an_error_of_the_protocol_shows_code_message_and_data) {
  const CallReport printed = report(R"({"error":{"code":-32602,"message":"Unknown tool","data":{"name":"x"}}})");
  BOOST_TEST(printed.status == 1);
  BOOST_TEST(printed.error == "error -32602: Unknown tool {\"name\":\"x\"}\n");
}

BOOST_AUTO_TEST_CASE(as_json_the_whole_result_is_printed_even_if_it_is_an_error) {
  const CallReport printed = report(R"({"result":{"content":[],"isError":true}})", true);
  BOOST_TEST(printed.status == 1);
  BOOST_TEST(printed.out == "{\"content\":[],\"isError\":true}\n");
  BOOST_TEST(printed.error == "");
}

BOOST_AUTO_TEST_CASE(no_answer_is_an_error) { BOOST_TEST(report_of(Json(), false).status == 1); }

BOOST_AUTO_TEST_CASE(a_tool_runs_through_the_real_dispatch) {
  BOOST_TEST(call("greet", JsonObject{}).out == "hello\n");
  BOOST_TEST(call("twice", JsonObject{{"word", std::string(100'000, 'x')}}).out == std::string(200'000, 'x') + "\n");
}

BOOST_AUTO_TEST_CASE(what_the_tool_or_the_protocol_refuses_is_reported) {
  BOOST_TEST(call("refuse", JsonObject{}).error == "not today\n");
  BOOST_TEST(call("greet", JsonObject{{"extra", 1}}).status == 1);
  BOOST_TEST(call("missing", JsonObject{}).error.starts_with("error -32602: "));
}

BOOST_AUTO_TEST_CASE(a_session_that_ends_without_an_answer_is_noticed) {
  BOOST_TEST(OneCall([](toolwire::Transport&) {}).call("greet", JsonObject{}, false).status == 1);
}

BOOST_AUTO_TEST_CASE(a_tool_that_can_be_called_as_a_task_only_is_waited_for) {
  const CallReport built = call("build", JsonObject{});
  BOOST_TEST(built.status == 0);
  BOOST_TEST(built.out == "built\n");
  BOOST_TEST(built.error == "");
  const CallReport broken = call("break", JsonObject{});
  BOOST_TEST(broken.status == 1);
  BOOST_TEST(broken.error == "broken\n");
}
