#include "features/invoke.hpp"

#define BOOST_TEST_MODULE invoke_test
#include <boost/test/unit_test.hpp>

#include <optional>
#include <stdexcept>
#include <string>
#include <utility>

#include "features/served_tool.hpp"
#include "toolwire/error.hpp"
#include "toolwire/result_checks.hpp"

using namespace toolwire;

namespace {

struct Add {
  int a = 0;
  int b = 0;
  static constexpr auto describe() { return fields(field<&Add::a>("First"), field<&Add::b>("Second")); }
};

/// The result of a tool called with these arguments.
template <class F>
ToolResult outcome_of(F handler, const char* arguments = "{}", ToolInfo info = {}) {
  if (info.name.empty()) info.name = "t";
  features::SerialLines lines;
  const auto served = features::serve(make_tool(std::move(info), std::move(handler)), BadSchema::refuse, lines);
  const JsonObject none;
  Context context({}, none, none);
  std::optional<AnyOutcome> outcome;
  try {
    features::invoke(*served, parse_json(arguments), context, [&](AnyOutcome&& came) { outcome = std::move(came); });
  } catch (const ProtocolError&) {
    throw;
  } catch (...) {
    outcome = result_of_exception(std::current_exception(), served->tool.info.name);
  }
  BOOST_REQUIRE(outcome.has_value());
  return std::get<ToolResult>(std::move(*outcome));
}

std::string text_of(const ToolResult& result) { return std::get<TextContent>(result.content.at(0).item).text; }

std::string code_of(const ToolResult& result) {
  return std::string(std::string_view(result.meta.at("dev.toolwire/error").at("code").as_string()));
}

}  // namespace

BOOST_AUTO_TEST_CASE(a_tool_is_given_its_arguments) {
  BOOST_TEST(text_of(outcome_of([](Add n) { return n.a + n.b; }, R"({"a":1,"b":2})")) == "3");
}

BOOST_AUTO_TEST_CASE(arguments_that_do_not_fit_never_reach_the_tool) {
  const ToolResult result = outcome_of([](Add) -> int { throw std::logic_error("called"); }, R"({"a":"x"})");
  BOOST_TEST(result.is_error);
  BOOST_TEST(code_of(result) == "invalid_arguments");
  BOOST_TEST(text_of(result).find("a: ") != std::string::npos);
  BOOST_TEST(text_of(result).find("b: missing") != std::string::npos);
}

BOOST_AUTO_TEST_CASE(what_a_tool_says_no_with_is_read_by_the_model) {
  const ToolResult result = outcome_of([]() -> int { throw ToolError("the door is locked"); });
  BOOST_TEST(result.is_error);
  BOOST_TEST(text_of(result) == "the door is locked");
}

BOOST_AUTO_TEST_CASE(what_a_tool_breaks_with_is_not_told) {
  const ToolResult thrown = outcome_of([]() -> int { throw std::runtime_error("a secret"); });
  BOOST_TEST(thrown.is_error);
  BOOST_TEST(code_of(thrown) == "execution");
  BOOST_TEST(text_of(thrown).find("secret") == std::string::npos);
  BOOST_TEST(code_of(outcome_of([]() -> int { throw 5; })) == "execution");
}

BOOST_AUTO_TEST_CASE(an_error_of_the_protocol_passes_through) {
  BOOST_CHECK_THROW(outcome_of([]() -> int { throw ProtocolError(1, "x"); }), ProtocolError);
}

BOOST_AUTO_TEST_CASE(a_tool_that_answers_later_may_do_so_at_once_or_forget_it) {
  BOOST_TEST(text_of(outcome_of([](Context&, Reply reply) { reply("at once"); })) == "at once");
  BOOST_TEST(code_of(outcome_of([](Context&, Reply) {})) == "dropped");
  BOOST_TEST(text_of(outcome_of([](Context&, Reply) { throw ToolError("after all not"); })) == "after all not");
}

BOOST_AUTO_TEST_CASE(arguments_are_held_against_a_schema_known_at_run_time) {
  ToolInfo info{.name = "t",
                .input_schema = parse_json(
                    R"({"type":"object","properties":{"n":{"type":"integer","minimum":1}},"required":["n"]})")};
  auto handler = [](const Json& arguments) { return to_json_text(arguments); };
  BOOST_TEST(text_of(outcome_of(handler, R"({"n":2})", info)) == R"({"n":2})");
  BOOST_TEST(code_of(outcome_of(handler, R"({"n":0})", info)) == "invalid_arguments");
  BOOST_TEST(code_of(outcome_of(handler, "{}", info)) == "invalid_arguments");
}
