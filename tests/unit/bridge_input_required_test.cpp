#include "activities/mcp/input_required.hpp"

#define BOOST_TEST_MODULE bridge_input_required_test
#include <boost/test/unit_test.hpp>
#include <string>
#include <vector>

using namespace toolwire::bridge::mcp;
using toolwire::Json;
using toolwire::JsonObject;
using toolwire::parse_json;

namespace {

std::optional<InputRequired> required(const char* result) {
  return input_required_from(parse_json(result).as_object());
}

}  // namespace

BOOST_AUTO_TEST_CASE(questions_keep_their_keys_and_the_state_goes_back) {
  const auto asked = required(
      R"({"inputRequests":{"a":{"method":"elicitation/create","params":{"message":"m"}},"b":{"method":"roots/list"}},
          "requestState":"s"})");
  BOOST_TEST_REQUIRE(asked.has_value());
  BOOST_TEST(asked->keys == (std::vector<std::string>{"a", "b"}));
  BOOST_TEST(asked->questions.list.at(0).shown_key == "a");
  BOOST_TEST(asked->questions.list.at(0).method == "elicitation/create");
  BOOST_TEST(Json(asked->questions.list.at(0).params) == parse_json(R"({"message":"m"})"));
  BOOST_TEST(Json(asked->questions.list.at(1).params) == Json(JsonObject{}));
  BOOST_TEST(Json(asked->next) == parse_json(R"({"requestState":"s"})"));
}

BOOST_AUTO_TEST_CASE(a_server_may_only_want_to_be_called_again) {
  const auto asked = required(R"({"requestState":"s"})");
  BOOST_TEST_REQUIRE(asked.has_value());
  BOOST_TEST(asked->questions.list.empty());
}

BOOST_AUTO_TEST_CASE(what_a_server_may_not_ask_is_no_question) {
  BOOST_TEST(!required(R"({"inputRequests":{"a":{"method":"tools/call"}}})").has_value());
  BOOST_TEST(!required(R"({"inputRequests":{"a":{}}})").has_value());
  BOOST_TEST(!required(R"({"inputRequests":{"a":3}})").has_value());
}

BOOST_AUTO_TEST_CASE(answers_go_back_under_the_keys_of_the_server) {
  const Json answers = parse_json(R"({"p-a":{"action":"accept"},"q-b":{"action":"accept"},"a":1})");
  BOOST_TEST(Json(responses_from(answers.as_object(), "p-", {"a", "b"})) == parse_json(R"({"a":{"action":"accept"}})"));
}

BOOST_AUTO_TEST_CASE(a_cancellation_answers_an_elicitation_and_nothing_else) {
  const Json cancelled = parse_json(R"({"action":"cancel"})");
  BOOST_TEST(is_answer("elicitation/create", cancelled));
  BOOST_TEST(!is_answer("sampling/createMessage", cancelled));
  BOOST_TEST(is_answer("roots/list", parse_json(R"({"roots":[]})")));
  BOOST_TEST(!is_answer("roots/list", parse_json("3")));
}
