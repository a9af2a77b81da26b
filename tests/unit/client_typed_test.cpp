// Calls with types: client.call<Answer>("tool", arguments).
#include <toolwire/testing.hpp>

#define BOOST_TEST_MODULE client_typed_test
#include <boost/test/unit_test.hpp>

#include <chrono>
#include <filesystem>
#include <map>
#include <optional>
#include <string>
#include <variant>
#include <vector>

using namespace toolwire;
using namespace std::chrono_literals;

namespace {

enum class Colour { red, green };

struct Point {
  int x = 0, y = 0;
  static constexpr auto describe() { return fields(field<&Point::x>("Right"), field<&Point::y>("Up").optional()); }
  bool operator==(const Point&) const = default;
};

/// The same as a later version of its server describes it.
struct LaterPoint {
  int x = 0, y = 0, z = 0;
  static constexpr auto describe() {
    return fields(field<&LaterPoint::x>("Right"), field<&LaterPoint::y>("Up"), field<&LaterPoint::z>("Away"));
  }
};

struct Circle {
  double radius = 0;
  static constexpr auto describe() { return fields(field<&Circle::radius>("Its size")); }
  bool operator==(const Circle&) const = default;
};

struct Drawing {
  std::variant<Point, Circle> shape;
  std::vector<Point> corners;
  static constexpr auto describe() {
    return fields(field<&Drawing::shape>("What it is"), field<&Drawing::corners>("Where").optional());
  }
  bool operator==(const Drawing&) const = default;
};

struct Bounded {
  int x = 0;
  static constexpr auto describe() { return fields(field<&Bounded::x>("Right").between(0, 9)); }
};

void add_tools(Server& server) {
  server.tool("move", "", [](Point from) { return Point{from.x + 1, from.y}; });
  server.tool("later", "", [] { return LaterPoint{1, 2, 3}; });
  server.tool("later_list", "", [] { return std::vector{LaterPoint{1, 2, 3}}; });
  server.tool("drawing", "", [] { return Drawing{Circle{2}, {{1, 2}}}; });
  server.tool("add", "", args("a", "b"), [](double a, double b) { return a + b; });
  server.tool("is_odd", "", args("n"), [](int n) { return n % 2 != 0; });
  server.tool("colour", "", [] { return Colour::green; });
  server.tool("words", "", [] { return std::vector<std::string>{"a", "b"}; });
  server.tool("ages", "", [] { return std::map<std::string, int>{{"ann", 7}}; });
  server.tool("results", "", [] { return std::map<std::string, int>{{"result", 7}}; });
  server.tool("maybe", "", args("there"), [](bool there) { return there ? std::optional(5) : std::nullopt; });
  server.tool("where", "", [] { return std::filesystem::path("/tmp/a b"); });
  server.tool("how_long", "", [] { return 90s; });
  server.tool("hello", "", [] { return "hello"; });
  server.tool("nothing", "", [] {});
  server.tool("fail", "", []() -> int { throw ToolError("no more paper"); });
}

struct Served {
  explicit Served(const std::string& revision = {})
      : server({"typed", "1"}), client((add_tools(server), server), ClientOptions{.revision = revision}) {}
  Server server;
  testing::Client client;
};

CallResult structured(Json value) { return {.structured = std::move(value)}; }
CallResult text(const char* said) { return {.content = {Json{{"type", "text"}, {"text", said}}}}; }

template <class T>
std::string refusal(const CallResult& result) {
  try {
    result_as<T>(result, "it");
  } catch (const UnexpectedResult& problem) {
    return problem.what();
  }
  return "";
}

const std::string begin = "the result of \"it\" is not what was expected: ";

}  // namespace

BOOST_AUTO_TEST_CASE(results_come_back_as_what_they_were_in_every_revision) {
  for (const std::string_view revision : known_revisions()) {
    BOOST_TEST_CONTEXT(revision) {
      Served both{std::string(revision)};
      Client& client = both.client;
      BOOST_TEST((client.call<Point>("move", Point{1, 2}) == Point{2, 2}));
      BOOST_TEST(client.call<double>("add", {{"a", 1}, {"b", 2.5}}) == 3.5);
      BOOST_TEST(client.call<bool>("is_odd", std::map<std::string, int>{{"n", 3}}));
      BOOST_TEST((client.call<Colour>("colour") == Colour::green));
      BOOST_TEST(client.call<std::vector<std::string>>("words").at(1) == "b");
      BOOST_TEST((client.call<std::map<std::string, int>>("ages").at("ann") == 7));
      BOOST_TEST((client.call<std::map<std::string, int>>("results").at("result") == 7));
      BOOST_TEST((client.call<std::optional<int>>("maybe", {{"there", true}}) == 5));
      BOOST_TEST((client.call<std::optional<int>>("maybe", {{"there", false}}) == std::nullopt));
      BOOST_TEST(client.call<std::filesystem::path>("where").string() == "/tmp/a b");
      BOOST_TEST((client.call<std::chrono::seconds>("how_long") == 90s));
      BOOST_TEST((client.call<Drawing>("drawing") == Drawing{Circle{2}, {{1, 2}}}));
      BOOST_TEST(client.call<std::string>("hello") == "hello");
      client.call<void>("nothing");
    }
  }
}

BOOST_AUTO_TEST_CASE(json_is_the_structured_content_as_it_is) {
  Served both;
  BOOST_TEST((both.client.call<Json>("words") == Json{{"result", {"a", "b"}}}));
  BOOST_TEST((both.client.call<Json>("move", {{"x", 1}}) == Json{{"x", 2}, {"y", 0}}));
  BOOST_TEST(refusal<Json>(text("hello")) == begin + "it has no structured content; its text: hello");
}

BOOST_AUTO_TEST_CASE(a_tool_that_fails_throws_what_it_says) {
  Served both;
  const auto says_why = [](const CallFailed& failed) {
    return failed.what() == std::string("no more paper") && failed.result.is_error;
  };
  BOOST_CHECK_EXCEPTION(both.client.call<int>("fail"), CallFailed, says_why);
  BOOST_CHECK_EXCEPTION(both.client.call<void>("fail"), CallFailed, says_why);
  BOOST_CHECK_EXCEPTION(both.client.call<std::string>("fail"), CallFailed, says_why);
  BOOST_CHECK_THROW(both.client.call<Json>("fail"), CallFailed);
  BOOST_CHECK_THROW(both.client.call<double>("add", {{"a", 1}}), CallFailed);  // the arguments are wrong
}

BOOST_AUTO_TEST_CASE(a_tool_that_calls_others_passes_their_failure_on) {
  Served inner;
  Server outer({"outer", "1"});
  outer.tool("ask", "", [&] { return inner.client.call<int>("fail"); });
  testing::Client client(outer);
  const CallResult result = client.call("ask");
  BOOST_TEST((result.is_error && result.text() == "no more paper"));
}

BOOST_AUTO_TEST_CASE(members_that_are_not_described_are_passed_over) {
  Served both;
  BOOST_TEST((both.client.call<Point>("later") == Point{1, 2}));
  BOOST_TEST((both.client.call<std::vector<Point>>("later_list").at(0) == Point{1, 2}));
  const Json shape{{"shape", {{"radius", 2}, {"colour", "red"}}}, {"scale", 3}};
  BOOST_TEST((result_as<Drawing>(structured(shape)) == Drawing{Circle{2}, {}}));
  const Json map{{"result", {{"a", {{"x", 1}, {"z", 3}}}}}};
  BOOST_TEST((result_as<std::map<std::string, Point>>(structured(map)).at("a") == Point{1, 0}));
}

BOOST_AUTO_TEST_CASE(values_that_servers_of_others_do_not_wrap_are_read) {
  using Ages = std::map<std::string, int>;
  BOOST_TEST(result_as<int>(structured(5)) == 5);
  BOOST_TEST((result_as<std::vector<int>>(structured(JsonArray{1, 2})) == std::vector{1, 2}));
  BOOST_TEST((result_as<Ages>(structured({{"ann", 7}})) == Ages{{"ann", 7}}));
  BOOST_TEST((result_as<Ages>(structured({{"result", 7}})) == Ages{{"result", 7}}));
  BOOST_TEST(result_as<Ages>(structured(JsonObject{})).empty());
  BOOST_TEST((result_as<std::optional<int>>(structured(nullptr)) == std::nullopt));
  BOOST_TEST(result_as<std::string>(structured({{"result", "hello"}})) == "hello");
  BOOST_TEST(result_as<int>(text("5")) == 5);
  BOOST_TEST((result_as<Point>(text("{\"x\": 1}")) == Point{1, 0}));
}

BOOST_AUTO_TEST_CASE(what_does_not_fit_is_named_with_what_was_expected) {
  BOOST_TEST(refusal<Point>(structured({{"x", "far"}})) == begin + "x: expected an integer");
  BOOST_TEST(refusal<Point>(structured({{"y", 1}})) == begin + "x: missing (an integer: Right)");
  BOOST_TEST(refusal<int>(structured({{"result", "five"}})) == begin + "result: expected an integer");
  BOOST_TEST(refusal<int>(structured({{"sum", 5}})) == begin + "result: expected an integer");
  BOOST_TEST(refusal<std::vector<int>>(structured({{"result", {1, "b"}}})) == begin + "result[1]: expected an integer");
  BOOST_TEST(refusal<Bounded>(structured({{"x", 10}})) == begin + "x: 10 is not between 0 and 9");
  BOOST_TEST(refusal<Point>(text("It is far")) ==
             begin + "expected an object\n(it has no structured content, so its text was read)");
  BOOST_TEST(refusal<int>({}) == begin + "it has neither structured content nor text");
  BOOST_CHECK_EXCEPTION(result_as<int>({}), UnexpectedResult, [](const UnexpectedResult& problem) {
    return std::string(problem.what()).starts_with("the result is not what was expected");
  });
}
