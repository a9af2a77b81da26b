// What handlers return, and what stands in for it: each result is one that clients take.
#include <toolwire/server.hpp>
#include <toolwire/testing.hpp>

#define BOOST_TEST_MODULE handler_results_test
#include <boost/test/unit_test.hpp>

#include <string>
#include <string_view>
#include <utility>
#include <vector>

using namespace toolwire;

namespace {

struct Point {
  int x = 0;
  static constexpr auto describe() { return fields(field<&Point::x>("Right")); }
};

/// What every test registers: an engine's own objects, by reference.
struct Fixture {
  Server server{{.name = "results", .version = "1"}};
  std::string text = "kept";
  Point point{.x = 7};
  std::vector<int> numbers{1, 2};

  CallResult call(std::string_view tool) { return testing::Client{server}.call(tool); }
  static std::string code_of(const CallResult& result) {
    return std::string(result.raw.at("_meta").at("dev.toolwire/error").at("code").get_string());
  }
};

}  // namespace

BOOST_FIXTURE_TEST_CASE(handlers_may_return_references_and_const_values, Fixture) {
  server.tool("text", "A text", [this]() -> const std::string& { return text; });
  server.tool("changed", "A text", [this]() -> std::string& { return text; });
  server.tool("point", "A point", [this](Context&) -> const Point& { return point; });
  server.tool("numbers", "Numbers", [this]() -> const std::vector<int>& { return numbers; });
  server.tool("same", "The same", args("a"), [this](int) -> const Point& { return point; });
  // As older code has it. NOLINTNEXTLINE(readability-const-return-type)
  server.tool("constant", "A constant", [this]() -> const Point { return point; });
  server.prompt({.name = "begin"}, [this]() -> const std::string& { return text; });
  BOOST_TEST(call("text").text() == "kept");
  BOOST_TEST(call("changed").text() == "kept");
  BOOST_TEST((call("point").structured == Json(JsonObject{{"x", 7}})));
  BOOST_TEST(call("numbers").structured->at("result") == Json(JsonArray{1, 2}));
  BOOST_TEST((testing::Client(server).call("same", {{"a", 1}}).structured == Json(JsonObject{{"x", 7}})));
  BOOST_TEST((call("constant").structured == Json(JsonObject{{"x", 7}})));
  BOOST_TEST(testing::Client(server).list_tools().at(0).output_schema.is_null() ==
             testing::Client(server).list_tools().at(1).output_schema.is_null());
  const Json prompt = testing::Client(server).request("prompts/get", {{"name", "begin"}});
  BOOST_TEST(prompt.at_pointer("/messages/0/content/text") == Json("kept"));
}

BOOST_FIXTURE_TEST_CASE(a_null_text_is_a_failure_of_the_tool_alone, Fixture) {
  server.tool("nothing", "Nothing", []() -> const char* { return nullptr; });
  server.tool("something", "Something", []() -> const char* { return "something"; });
  server.prompt({.name = "nothing"}, []() -> const char* { return nullptr; });
  const CallResult nothing = call("nothing");
  BOOST_TEST(nothing.is_error);
  BOOST_TEST(nothing.text().find("\"nothing\" failed unexpectedly") != std::string::npos, nothing.text());
  BOOST_CHECK_THROW(testing::Client(server).request("prompts/get", {{"name", "nothing"}}), ProtocolError);
  BOOST_TEST(call("something").text() == "something");
}

BOOST_FIXTURE_TEST_CASE(a_full_result_in_the_place_of_a_typed_one_fits_its_schema, Fixture) {
  server.tool("typed", "A point", []() -> Outcome<Point> { return Point{.x = 1}; });
  server.tool("text", "No point", []() -> Outcome<Point> { return ToolResult::text("here"); });
  server.tool("other", "Another", []() -> Outcome<Point> { return ToolResult::of(JsonObject{{"y", 1}}); });
  server.tool("same", "A point", []() -> Outcome<Point> { return ToolResult::of(JsonObject{{"x", 2}}); });
  server.tool("error", "Fails", []() -> Outcome<Point> { return ToolResult::error("no point today"); });
  server.tool("words", "A text", []() -> Outcome<std::string> { return ToolResult::text("words"); });
  BOOST_TEST((call("typed").structured == Json(JsonObject{{"x", 1}})));
  BOOST_TEST((call("same").structured == Json(JsonObject{{"x", 2}})));
  for (const char* const tool : {"text", "other"}) {
    const CallResult held = call(tool);
    BOOST_TEST(held.is_error, tool);
    BOOST_TEST(code_of(held) == "invalid_output", tool);
  }
  BOOST_TEST(call("error").text() == "no point today");
  BOOST_TEST(call("words").text() == "words");
}

BOOST_FIXTURE_TEST_CASE(what_a_middleware_answers_for_a_typed_tool_fits_its_schema, Fixture) {
  std::string way;
  server.tool("typed", "A point", [this]() -> const Point& { return point; });
  server.tool("number", "A number", [] { return 3; });
  server.around_call([&way](CallRequest&, Context&, Next next) {
    if (way == "answer with text") return next.answer("cached");
    if (way == "answer") return next.answer(Point{.x = 5});
    next.then([&way](AnyOutcome& outcome) {
      auto& result = std::get<ToolResult>(outcome);
      if (way == "drop") result.structured.reset();
      if (way == "change") result.structured->get_object()["x"] = "right";
    });
  });
  BOOST_TEST((call("typed").structured == Json(JsonObject{{"x", 7}})));
  BOOST_TEST(call("number").structured->at("result") == Json(3));
  way = "answer";
  BOOST_TEST((call("typed").structured == Json(JsonObject{{"x", 5}})));
  for (const char* const wrong : {"answer with text", "drop", "change"}) {
    way = wrong;
    const CallResult held = call("typed");
    BOOST_TEST(held.is_error, wrong);
    BOOST_TEST(code_of(held) == "invalid_output", wrong);
  }
}

BOOST_FIXTURE_TEST_CASE(a_prompt_is_named_that_has_suggestions_for_no_argument, Fixture) {
  PromptInfo info{.name = "greet"};
  info.completers["who"] = complete_from({"Ada"});
  const auto names_it = [](const std::invalid_argument& error) {
    return std::string_view(error.what()) == "prompt \"greet\": \"who\" has suggestions but is not an argument";
  };
  BOOST_CHECK_EXCEPTION(server.prompt(info, [](const Point&) { return "hello"; }), std::invalid_argument, names_it);
}
