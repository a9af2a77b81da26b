#include "activities/mcp/input_required.hpp"

#define BOOST_TEST_MODULE bridge_input_required_test
#include <boost/test/unit_test.hpp>
#include <optional>

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
  BOOST_TEST(asked->questions.list.at(0).shown_key == "a");
  BOOST_TEST(asked->questions.list.at(1).key == "b");
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

/// The answers to all that is asked in a round, each of which is its key.
JsonObject answers_to(InputRequired asked, unsigned round) {
  add_to_keys(asked.questions, round, asked.next);
  JsonObject answers;
  for (const auto& question : asked.questions.list) answers[question.key] = question.shown_key;
  return answers;
}

BOOST_AUTO_TEST_CASE(answers_go_back_under_the_keys_of_the_server_with_what_it_wants_back) {
  const auto asked = required(
      R"({"inputRequests":{"a:1":{"method":"roots/list"},"toolwire-round-9-2:{}b":{"method":"roots/list"}},
          "requestState":"s:\"2-3"})");
  BOOST_TEST_REQUIRE(asked.has_value());
  JsonObject answers = answers_to(*asked, 4);
  answers["other"] = 1;
  const auto next = next_input(answers);
  BOOST_TEST_REQUIRE(next.has_value());
  BOOST_TEST(next->round == 4U);
  BOOST_TEST(Json(next->members) ==
             parse_json(R"({"inputResponses":{"a:1":"a:1","toolwire-round-9-2:{}b":"toolwire-round-9-2:{}b"},
                            "requestState":"s:\"2-3"})"));
}

BOOST_AUTO_TEST_CASE(the_answers_of_the_last_round_count_whatever_stands_first) {
  const auto first = required(R"({"inputRequests":{"z":{"method":"roots/list"}},"requestState":"old"})");
  const auto last = required(R"({"inputRequests":{"a":{"method":"roots/list"}}})");
  for (const unsigned later : {10U, 11U}) {
    JsonObject answers = answers_to(*first, 9);
    for (const auto& [key, answer] : answers_to(*last, later)) answers[key] = answer;
    const auto next = next_input(answers);
    BOOST_TEST_REQUIRE(next.has_value());
    BOOST_TEST(next->round == later);
    BOOST_TEST(Json(next->members) == parse_json(R"({"inputResponses":{"a":"a"}})"));
  }
}

BOOST_AUTO_TEST_CASE(other_answers_are_none_of_a_round) {
  for (const char* const key : {"a", "toolwire-round-", "toolwire-round-1", "toolwire-round-1-",
                                "toolwire-round-1-9:{}a", "toolwire-round--1-0:a", "toolwire-bridge-x-1:a"})
    BOOST_TEST(!next_input({{key, 1}}).has_value(), key);
  BOOST_TEST(!next_input({}).has_value());
}

BOOST_AUTO_TEST_CASE(a_cancellation_answers_an_elicitation_and_nothing_else) {
  const Json cancelled = parse_json(R"({"action":"cancel"})");
  BOOST_TEST(is_answer("elicitation/create", cancelled));
  BOOST_TEST(!is_answer("sampling/createMessage", cancelled));
  BOOST_TEST(is_answer("roots/list", parse_json(R"({"roots":[]})")));
  BOOST_TEST(!is_answer("roots/list", parse_json("3")));
}

BOOST_AUTO_TEST_CASE(the_words_of_a_question_are_made_fit_to_be_shown_and_its_values_stay) {
  const auto shown = [](const char* method, const Json& params) {
    toolwire::Question question{"key", method, params};
    make_fit_to_show(question, {"s3cr3t"});
    return question.params;
  };
  const Json asked = parse_json(
      R"j({"message":"a\u001b[31ms3cr3t\nb\u202e","requestedSchema":{"type":"object","properties":{
           "title":{"type":"string","title":"\u001b[1mOne s3cr3t","default":"s3cr3t\u001b"},
           "of":{"type":"string","enum":["s3cr3t"],"enumNames":["\u001b[1ms3cr3t"]}},"required":["title"]}})j");
  const Json fit = parse_json(
      R"j({"message":"a(redacted)\nb","requestedSchema":{"type":"object","properties":{
           "title":{"type":"string","title":"One (redacted)","default":"s3cr3t\u001b"},
           "of":{"type":"string","enum":["s3cr3t"],"enumNames":["(redacted)"]}},"required":["title"]}})j");
  BOOST_TEST(shown("elicitation/create", asked) == fit);
  const Json for_a_model =
      parse_json(R"({"messages":[{"role":"user","content":{"type":"text","text":"\u001b[1m"}}],"message":"s3cr3t"})");
  BOOST_TEST(shown("sampling/createMessage", for_a_model) == for_a_model);
  BOOST_TEST(shown("elicitation/create", 3) == Json(3));
}
