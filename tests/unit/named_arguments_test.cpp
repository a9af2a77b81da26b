#include "toolwire/detail/named_arguments.hpp"

#define BOOST_TEST_MODULE named_arguments_test
#include <boost/test/unit_test.hpp>

#include <cstdint>
#include <limits>
#include <optional>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

#include "toolwire/json.hpp"
#include "toolwire/result_checks.hpp"
#include "toolwire/server.hpp"

using namespace toolwire;

namespace {

enum class Unit { metre, mile };

struct Point {
  double x = 0;
  static constexpr auto describe() { return fields(field<&Point::x>("To the right").between(0, 9)); }
};

/// The result of a tool that is called with these arguments.
ToolResult called(const Tool& tool, std::string_view arguments) {
  const JsonObject none;
  Context context({}, none, none);
  std::optional<AnyOutcome> outcome;
  try {
    if (const auto* now = std::get_if<ToolHandler>(&tool.handler)) {
      outcome = (*now)(parse_json(arguments), context);
    } else {
      std::get<LaterToolHandler>(tool.handler)(parse_json(arguments), context,
                                               Reply([&](AnyOutcome&& came) { outcome = std::move(came); }));
    }
  } catch (const InvalidArguments&) {
    outcome = result_of_exception(std::current_exception(), tool.info.name);
  }
  BOOST_REQUIRE(outcome.has_value());
  return std::get<ToolResult>(std::move(*outcome));
}

std::string text_of(const ToolResult& result) { return std::get<TextContent>(result.content.at(0).item).text; }

std::string schema_text(const Tool& tool) { return to_json_text(tool.info.input_schema); }

/// Why a tool is not made of these names.
template <class F, class Names>
std::string refusal(Names names, F handler) {
  try {
    make_tool({.name = "t"}, names, handler);
  } catch (const std::invalid_argument& error) {
    return error.what();
  }
  return "made";
}

}  // namespace

BOOST_AUTO_TEST_CASE(parameters_are_arguments_under_the_names_they_are_given) {
  const Tool tool = make_tool({.name = "subtract"}, args("a", "b"), [](double a, double b) { return a - b; });
  BOOST_TEST(text_of(called(tool, R"({"b":2,"a":5})")) == "3");
  BOOST_TEST(schema_text(tool) == R"({"type":"object","properties":{"a":{"type":"number"},"b":{"type":"number"}},)"
                                  R"("required":["a","b"],"additionalProperties":false})");
  BOOST_TEST(
      to_json_text(tool.info.output_schema) ==
      R"({"type":"object","properties":{"result":{"type":"number"}},"required":["result"],"additionalProperties":false})");
}

BOOST_AUTO_TEST_CASE(what_is_said_of_a_parameter_is_published) {
  const auto tool = make_tool({.name = "t"},
                              args(arg("a", "First").title("A").between(1, 10), arg("s").length(2, 3),
                                   arg("l").items(0, 1), arg("m").at_least(0.5)),
                              [](int, const std::string&, const std::vector<int>&, double) {});
  BOOST_TEST(schema_text(tool) ==
             R"({"type":"object","properties":{)"
             R"("a":{"type":"integer","title":"A","description":"First","minimum":1,"maximum":10},)"
             R"("s":{"type":"string","minLength":2,"maxLength":3},)"
             R"("l":{"type":"array","items":{"type":"integer"},"maxItems":1},)"
             R"("m":{"type":"number","minimum":0.5}},"required":["a","s","l","m"],"additionalProperties":false})");
}

BOOST_AUTO_TEST_CASE(arguments_that_do_not_fit_never_reach_the_function) {
  const Tool tool = make_tool({.name = "t"}, args(arg("a", "First").between(1, 10), arg("s").length(1, 2)),
                              [](int, const std::string&) -> int { throw std::logic_error("called"); });
  BOOST_TEST(text_of(called(tool, R"({"a":11,"s":"abc","x":1})")).find("a: 11 is not between 1 and 10") !=
             std::string::npos);
  BOOST_TEST(text_of(called(tool, R"({"a":11,"s":"abc","x":1})")).find("s: expected 1 to 2 characters, found 3") !=
             std::string::npos);
  BOOST_TEST(text_of(called(tool, R"({"a":11,"s":"abc","x":1})")).find("x: ") != std::string::npos);
  BOOST_TEST(text_of(called(tool, "{}")).find("a: missing (an integer between 1 and 10: First)") != std::string::npos);
  BOOST_TEST(called(tool, "{}").is_error);
}

BOOST_AUTO_TEST_CASE(an_optional_parameter_may_be_left_out) {
  const Tool tool = make_tool({.name = "t"}, args("name", arg("times").at_most(3)),
                              [](const std::string& name, std::optional<int> times) {
                                return name + (times ? std::to_string(*times) : std::string("-"));
                              });
  BOOST_TEST(text_of(called(tool, R"({"name":"x"})")) == "x-");
  BOOST_TEST(text_of(called(tool, R"({"name":"x","times":null})")) == "x-");
  BOOST_TEST(text_of(called(tool, R"({"name":"x","times":2})")) == "x2");
  BOOST_TEST(called(tool, R"({"name":"x","times":4})").is_error);
  BOOST_TEST(schema_text(tool).find(R"("required":["name"])") != std::string::npos);
  BOOST_TEST(schema_text(tool).find("default") == std::string::npos);
}

BOOST_AUTO_TEST_CASE(parameters_may_have_any_type_with_a_json_form) {
  const Tool tool =
      make_tool({.name = "t"}, args("text", "unit", "at", "any", "bits"),
                [](std::string_view text, Unit unit, const Point& at, const Json& any, std::vector<bool> bits) {
                  return std::string(text) + (unit == Unit::mile ? " mile " : " metre ") +
                         std::to_string(static_cast<int>(at.x)) + to_json_text(any) + std::to_string(bits.size());
                });
  BOOST_TEST(text_of(called(tool, R"({"text":"t","unit":"mile","at":{"x":7},"any":[null],"bits":[true]})")) ==
             "t mile 7[null]1");
  BOOST_TEST(text_of(called(tool, R"({"text":"t","unit":"mile","at":{"x":10},"any":0,"bits":[]})"))
                 .find("at.x: 10 is not between 0 and 9") != std::string::npos);
}

BOOST_AUTO_TEST_CASE(a_function_of_nothing_has_no_names) {
  const Tool tool = make_tool({.name = "t"}, args(), []() { return std::string("nothing"); });
  BOOST_TEST(text_of(called(tool, "{}")) == "nothing");
  BOOST_TEST(schema_text(tool) == R"({"type":"object","properties":{},"additionalProperties":false})");
}

BOOST_AUTO_TEST_CASE(the_context_and_the_reply_follow_the_arguments) {
  const Tool now = make_tool({.name = "t"}, args("a"), [](int a, Context& context) {
    return std::to_string(a) + (context.stop_requested() ? " stopped" : " goes on");
  });
  BOOST_TEST(text_of(called(now, R"({"a":1})")) == "1 goes on");
  const Tool later =
      make_tool({.name = "t"}, args("a"), [](int a, Context&, Reply reply) { reply(std::to_string(a + 1)); });
  BOOST_TEST(text_of(called(later, R"({"a":1})")) == "2");
  BOOST_TEST(called(later, R"({"a":"x"})").is_error);
  const Tool alone = make_tool({.name = "t"}, args("a"), [](int a, Reply reply) { reply(std::to_string(a + 2)); });
  BOOST_TEST(text_of(called(alone, R"({"a":1})")) == "3");
}

BOOST_AUTO_TEST_CASE(a_function_that_returns_nothing_has_an_empty_result) {
  BOOST_TEST(called(make_tool({.name = "t"}, args("a"), [](int) {}), R"({"a":1})").content.empty());
}

BOOST_AUTO_TEST_CASE(bounds_outside_of_the_type_are_refused_when_the_tool_is_made) {
  const auto small = [](std::int8_t) {};
  const auto whole = [](std::optional<unsigned>) {};
  BOOST_TEST(refusal(args(arg("n").between(-128, 127)), small) == "made");
  BOOST_TEST(refusal(args(arg("n").between(-129, 127)), small) ==
             "tool \"t\": the parameter \"n\" is an integer of a type that has no bounds \"between -129 and 127\"");
  BOOST_TEST(refusal(args(arg("n").at_most(128)), small) ==
             "tool \"t\": the parameter \"n\" is an integer of a type that has no bounds \"at most 128\"");
  BOOST_TEST(refusal(args(arg("n").at_least(0.5)), whole) ==
             "tool \"t\": the parameter \"n\" is an integer of a type that has no bounds \"at least 0.5\"");
  BOOST_TEST(refusal(args(arg("n").at_least(-1)), whole) ==
             "tool \"t\": the parameter \"n\" is an integer of a type that has no bounds \"at least -1\"");
  BOOST_TEST(refusal(args(arg("n").at_least(0)), whole) == "made");
  constexpr double nan = std::numeric_limits<double>::quiet_NaN();
  BOOST_TEST(refusal(args(arg("n").at_least(nan)), [](double) {}) != "made");
  BOOST_TEST(refusal(args(""), small) == "tool \"t\": a parameter has no name");
}

BOOST_AUTO_TEST_CASE(a_server_takes_such_tools) {
  Server server({.name = "calculator", .version = "1"});
  server.tool("add", "Add two numbers", args("a", "b"), [](double a, double b) { return a + b; });
  server.tool(ToolInfo{.name = "twice", .read_only = true}, args(arg("a", "A number")), [](int a) { return 2 * a; });
  BOOST_TEST(server.has_tool("add"));
  BOOST_TEST(server.has_tool("twice"));
}
