#include "target/tool_arguments.hpp"

#define BOOST_TEST_MODULE conformance_tool_arguments_test
#include <boost/test/unit_test.hpp>

using toolwire::Json;
using toolwire::JsonObject;
using toolwire::parse_json;
using toolwire::to_json_text;
using namespace toolwire::conformance;

namespace {

/// The arguments with which a tool of one argument is slow, as text; "" if it has none.
std::string timed(const char* name, const char* property, const char* description = "") {
  const Json schema = {{"type", "object"}, {"properties", {{name, parse_json(property)}}}, {"required", {name}}};
  const auto arguments = timed_arguments(schema, Json(description));
  return arguments ? to_json_text(*arguments) : "";
}

}  // namespace

BOOST_AUTO_TEST_CASE(the_name_says_the_unit) {
  BOOST_TEST(timed("seconds", R"({"type": "number"})") == R"({"seconds":"<SECONDS>"})");
  for (const char* name : {"ms", "delay_ms", "delayMs", "milliseconds"})
    BOOST_TEST(timed(name, R"({"type": "integer"})") == "{\"" + std::string(name) + R"(":"<MILLISECONDS>"})");
}

BOOST_AUTO_TEST_CASE(else_a_description_does) {
  const char* const milliseconds = R"({"type": "integer", "description": "How long, in milliseconds"})";
  BOOST_TEST(timed("duration", milliseconds) == R"({"duration":"<MILLISECONDS>"})");
  BOOST_TEST(timed("delay", R"({"type": "integer"})", "Waits some milliseconds") == R"({"delay":"<MILLISECONDS>"})");
  BOOST_TEST(timed("wait", R"({"type": "number"})") == R"({"wait":"<SECONDS>"})");
}

BOOST_AUTO_TEST_CASE(what_does_not_admit_what_checks_fill_in_is_no_use) {
  BOOST_TEST(timed("seconds", R"({"type": "integer"})").empty());
  BOOST_TEST(timed("seconds", R"({"type": "number", "maximum": 2})").empty());
  BOOST_TEST(timed("seconds", R"({"type": "string"})").empty());
}

BOOST_AUTO_TEST_CASE(a_bound_is_no_time_to_take) {
  for (const char* name : {"timeout", "timeoutMs", "max_seconds", "count", "items"})
    BOOST_TEST(timed(name, R"({"type": "number"})").empty(), name);
}

BOOST_AUTO_TEST_CASE(a_slow_tool_is_tried_with_little) {
  const Json schema = parse_json(
      R"({"type": "object", "properties": {"seconds": {"type": "number", "default": 10}, "n": {"type": "integer"}}})");
  BOOST_TEST((quick_arguments(schema, "", JsonObject{}) == JsonObject{{"seconds", 0.05}}));
  const Json other = parse_json(R"({"type": "object", "properties": {"n": {"type": "integer"}}, "required": ["n"]})");
  BOOST_TEST((quick_arguments(other, "", JsonObject{{"n", 1}}) == JsonObject{{"n", 1}}));
}

BOOST_AUTO_TEST_CASE(a_text_is_an_argument_without_further_conditions) {
  const auto argument = [](const char* property, const char* required = R"(["a"])") {
    return text_argument(
        {{"type", "object"}, {"properties", {{"a", parse_json(property)}}}, {"required", parse_json(required)}});
  };
  BOOST_TEST(argument(R"({"type": "string"})") == "a");
  BOOST_TEST(argument(R"({"type": "string", "maxLength": 80})").empty());
  BOOST_TEST(argument(R"({"type": "string", "enum": ["x"]})").empty());
  BOOST_TEST(argument(R"({"type": "number"})").empty());
  BOOST_TEST(argument(R"({"type": "string"})", R"(["a", "b"])").empty());
  BOOST_TEST(argument(R"({"type": "string"})", "[]").empty());
}

BOOST_AUTO_TEST_CASE(name_and_description_say_what_is_an_echo) {
  BOOST_TEST(is_called_echo({{"name", "say"}, {"description", "Echoes a text"}}));
  BOOST_TEST(is_called_echo({{"name", "test_echo"}}));
  BOOST_TEST(!is_called_echo({{"name", "search"}}));
}
