#include "activities/runtime/runtime_activity.hpp"

#define BOOST_TEST_MODULE bridge_runtime_activity_test
#include <boost/test/unit_test.hpp>

#include <string>
#include <variant>

using namespace toolwire;
using namespace toolwire::bridge::runtimes;

namespace {

ToolResult result_of(const char* answer) {
  RuntimeAnswer came;
  came.result = parse_json(answer);
  return tool_result_from(std::move(came));
}

std::string text_of(const ToolResult& result) { return std::get<TextContent>(result.content.at(0).item).text; }

}  // namespace

BOOST_AUTO_TEST_CASE(what_nobody_can_see_in_an_output_is_shown_as_escapes) {
  BOOST_TEST(text_of(result_of(R"({"output": "a\u001b]52;c;eA==\u0007\u202eb\r\n"})")) ==
             "a\\u{1B}]52;c;eA==\\u{7}\\u{202E}b\n");
  BOOST_TEST(text_of(result_of(R"({"output": "é\ta\n"})")) == "é\ta\n");
}

BOOST_AUTO_TEST_CASE(structured_values_are_data) {
  BOOST_TEST((result_of(R"({"structured": {"a": "\u202e"}})").structured ==
              JsonObject{{"a", "\u202e"}}));  // NOLINT(misc-misleading-bidirectional): meant
}

BOOST_AUTO_TEST_CASE(an_answer_without_a_result_is_an_error) {
  BOOST_TEST(result_of("5").is_error);
  BOOST_TEST(result_of("{}").is_error);
}
