#include <toolwire/result.hpp>

#define BOOST_TEST_MODULE result_test
#include <boost/test/unit_test.hpp>

#include <chrono>
#include <optional>
#include <string>
#include <toolwire/schema.hpp>
#include <toolwire/server.hpp>
#include <toolwire/testing.hpp>
#include <utility>
#include <vector>

using namespace toolwire;

namespace {

struct Point {
  int x = 0;
  static constexpr auto describe() { return fields(field<&Point::x>("Across")); }
};

enum class Mood { good, bad };

struct Bounded {
  std::string text;
  int number = 7;
  std::vector<int> list = {1};
  static constexpr auto describe() {
    return fields(field<&Bounded::text>("Short").length(1, 5),
                  field<&Bounded::number>("Small").between(0, 9).optional(),
                  field<&Bounded::list>("Some").items(1, 2).optional());
  }
};

template <class T>
ToolResult result_of(T value) {
  return std::get<ToolResult>(to_outcome(std::move(value)));
}

std::string text_of(const ToolResult& result) { return std::get<TextContent>(result.content.at(0).item).text; }

}  // namespace

BOOST_AUTO_TEST_CASE(plain_values_become_text) {
  BOOST_TEST(text_of(result_of(std::string("s"))) == "s");
  BOOST_TEST(text_of(result_of("literal")) == "literal");
  BOOST_TEST(text_of(result_of(5)) == "5");
  BOOST_TEST(text_of(result_of(0.5)) == "0.5");
  BOOST_TEST(text_of(result_of(true)) == "true");
  BOOST_TEST(text_of(result_of(Mood::bad)) == "bad");
  BOOST_TEST(!result_of(std::string("5")).structured.has_value());
}

BOOST_AUTO_TEST_CASE(scalars_are_in_the_structured_content_too) {
  const auto structured = [](const ToolResult& result) { return to_json_text(result.structured.value()); };
  BOOST_TEST(structured(result_of(5)) == R"({"result":5})");
  BOOST_TEST(structured(result_of(true)) == R"({"result":true})");
  BOOST_TEST(structured(result_of(Mood::bad)) == R"({"result":"bad"})");
  BOOST_TEST(to_json_text(output_schema_of<int>()) ==
             R"({"type":"object","properties":{"result":{"type":"integer"}},"required":["result"],)"
             R"("additionalProperties":false})");
}

BOOST_AUTO_TEST_CASE(what_is_absent_is_left_out) {
  BOOST_TEST(to_json_text(result_of(std::optional<std::string>()).structured.value()) == "{}");
  BOOST_TEST(to_json_text(result_of(std::optional<Point>()).structured.value()) == "{}");
  BOOST_TEST(to_json_text(result_of(std::optional(Point{3})).structured.value()) == R"({"result":{"x":3}})");
  for (const Json& schema :
       {output_schema_of<std::optional<std::string>>(), output_schema_of<std::optional<Point>>()}) {
    BOOST_TEST(!schema.as_object().contains("required"));
    BOOST_TEST(schema.at("properties").as_object().contains("result"));
  }
}

BOOST_AUTO_TEST_CASE(an_output_schema_promises_what_the_type_does_and_no_bounds) {
  const Schema schema = Schema::compile(output_schema_of<Bounded>());
  BOOST_TEST(schema.validate(result_of(Bounded{"longer than five", 1000, {}}).structured.value()).empty());
  BOOST_TEST(schema_of<Bounded>().at_pointer("/properties/text/maxLength") == 5);
}

BOOST_AUTO_TEST_CASE(described_structs_become_structured_content_with_the_same_json_as_text) {
  const ToolResult result = result_of(Point{3});
  BOOST_TEST(to_json_text(result.structured.value()) == R"({"x":3})");
  BOOST_TEST(text_of(result) == R"({"x":3})");
}

BOOST_AUTO_TEST_CASE(lists_are_wrapped_so_that_the_root_is_an_object) {
  BOOST_TEST(to_json_text(result_of(std::vector<Point>{{1}, {2}}).structured.value()) ==
             R"({"result":[{"x":1},{"x":2}]})");
  BOOST_TEST(to_json_text(result_of(std::vector<int>{}).structured.value()) == R"({"result":[]})");
}

BOOST_AUTO_TEST_CASE(the_output_schema_belongs_to_what_is_sent) {
  BOOST_TEST(output_schema_of<void>().is_null());
  BOOST_TEST(output_schema_of<ToolResult>().is_null());
  BOOST_TEST(output_schema_of<Outcome<std::string>>().is_null());
  BOOST_TEST(to_json_text(output_schema_of<Outcome<Point>>()) == to_json_text(schema_of<Point>()));
  BOOST_TEST(output_schema_of<std::vector<int>>().at("required").as_array().at(0) == "result");
}

BOOST_AUTO_TEST_CASE(an_outcome_is_whatever_it_holds) {
  BOOST_TEST(text_of(result_of(Outcome<std::string>(std::string("x")))) == "x");
  BOOST_TEST(result_of(Outcome<std::string>(ToolResult::error("no"))).is_error);
  const AnyOutcome asked = to_outcome(Outcome<std::string>(ask<Point>("where", "Where?")));
  BOOST_TEST(std::get<Questions>(asked).list.size() == 1u);
}

BOOST_AUTO_TEST_CASE(an_outcome_that_the_caller_keeps_is_left_whole) {
  Outcome<std::string> kept(std::string("a text that no small buffer holds"));
  BOOST_TEST(text_of(std::get<ToolResult>(to_outcome(kept))) == "a text that no small buffer holds");
  BOOST_TEST(text_of(std::get<ToolResult>(to_outcome(std::as_const(kept)))) == "a text that no small buffer holds");
  BOOST_TEST(std::get<std::string>(kept) == "a text that no small buffer holds");
}

BOOST_AUTO_TEST_CASE(questions_are_put_together_in_order) {
  const Questions questions = ask<Point>("a", "First?").also(ask<Point>("b", "Second?"));
  BOOST_REQUIRE(questions.list.size() == 2u);
  BOOST_TEST(questions.list[0].key == "a");
  BOOST_TEST(questions.list[1].params.at("message") == "Second?");
  BOOST_TEST(questions.list[1].params.at("requestedSchema").at("type") == "object");
}

BOOST_AUTO_TEST_CASE(a_failure_has_a_code_for_programs) {
  const ToolResult result = failure("busy", "try again", true, 100);
  BOOST_TEST(result.is_error);
  BOOST_TEST(to_json_text(result.meta.at("dev.toolwire/error")) ==
             R"({"code":"busy","retryable":true,"retryAfterMs":100})");
  BOOST_TEST(!failure("x", "y", false).meta.at("dev.toolwire/error").as_object().contains("retryAfterMs"));
}

BOOST_AUTO_TEST_CASE(what_may_have_been_done_may_be_repeated_if_that_makes_no_difference) {
  const auto lost = [] { return unknown_outcome("unavailable", "the connection broke"); };
  Server server{{.name = "server", .version = "1"}};
  server.tool({.name = "change", .description = "Changes things"}, lost);
  server.tool({.name = "read", .description = "Reads things", .read_only = true}, lost);
  server.tool({.name = "set", .description = "Sets things", .read_only = false, .idempotent = true}, lost);
  server.tool({.name = "busy", .description = "Fails before", .read_only = true},
              [] { return failure("x", "no", false); });
  testing::Client client{server};
  const auto error_of = [&](const std::string& tool) {
    return to_json_text(client.call(tool).raw.at("_meta").at("dev.toolwire/error"));
  };
  BOOST_TEST(error_of("change") == R"({"code":"unavailable","retryable":false,"outcome":"unknown"})");
  BOOST_TEST(error_of("read") == R"({"code":"unavailable","retryable":true})");
  BOOST_TEST(error_of("set") == R"({"code":"unavailable","retryable":true})");
  BOOST_TEST(error_of("busy") == R"({"code":"x","retryable":false})");
}

BOOST_AUTO_TEST_CASE(what_a_tool_had_done_when_its_time_was_over_is_not_known) {
  Server server{{.name = "server", .version = "1"}};
  std::vector<Reply> kept;
  const auto late = [&](const char* name, bool read_only) {
    server.tool({.name = name,
                 .description = "Does not answer",
                 .read_only = read_only,
                 .timeout = std::chrono::milliseconds(1)},
                [&](Context&, Reply reply) { kept.push_back(std::move(reply)); });
  };
  late("change", false);
  late("read", true);
  testing::Client client{server};
  const auto error_of = [&](const std::string& tool) {
    return to_json_text(client.call(tool).raw.at("_meta").at("dev.toolwire/error"));
  };
  BOOST_TEST(error_of("change") == R"({"code":"timeout","retryable":false,"outcome":"unknown"})");
  BOOST_TEST(error_of("read") == R"({"code":"timeout","retryable":true})");
}
