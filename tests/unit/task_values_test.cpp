// What decides in a task, without its locks, store and timers.
#define BOOST_TEST_MODULE task_values_test
#include <boost/test/unit_test.hpp>
#include <chrono>
#include <string>

#include "protocol/tasks/open_questions.hpp"
#include "protocol/tasks/paced_reports.hpp"

using namespace toolwire;
using namespace std::chrono_literals;
using protocol::OpenQuestions;
using protocol::PacedReports;
using Then = PacedReports::Then;

namespace {

const protocol::Revision& modern = *protocol::find_revision("2026-07-28");

Question question(std::string key) { return form_question(std::move(key), "Which?", Json(JsonObject{})); }

Json accepted(int number) { return JsonObject{{"action", "accept"}, {"content", JsonObject{{"n", number}}}}; }

const PacedReports::Time start{1h};

}  // namespace

BOOST_AUTO_TEST_CASE(questions_are_open_until_all_are_answered) {
  OpenQuestions questions;
  BOOST_TEST(questions.none());
  questions.open({question("a"), question("b")});
  BOOST_TEST(parse_json(questions.text(modern)).as_object().size() == 2U);
  BOOST_TEST(questions.take({{"b", accepted(2)}, {"stranger", accepted(9)}}));
  BOOST_TEST(!questions.none());
  BOOST_TEST(!questions.take({{"b", accepted(3)}}));  // no longer open
  BOOST_TEST(parse_json(questions.text(modern)).as_object().contains("a"));
  BOOST_TEST(questions.take({{"a", accepted(1)}}));
  BOOST_TEST(questions.none());
  BOOST_TEST(questions.take_answers() == (JsonObject{{"b", accepted(2)}, {"a", accepted(1)}}));
  BOOST_TEST(questions.take_answers().empty());
}

BOOST_AUTO_TEST_CASE(a_key_is_used_once_on_the_wire_and_comes_back_as_the_tool_calls_it) {
  OpenQuestions questions;
  questions.open({question("a")});
  BOOST_TEST(questions.take({{"a", accepted(1)}}));
  questions.open({question("a")});
  BOOST_TEST(!questions.take({{"a", accepted(2)}}));
  BOOST_TEST(questions.take({{"a-2", accepted(3)}}));
  BOOST_TEST(questions.take_answers() == (JsonObject{{"a", accepted(3)}}));
}

BOOST_AUTO_TEST_CASE(what_nobody_answers_is_cancelled_and_what_was_answered_stays) {
  OpenQuestions questions;
  questions.open({question("a"), question("b")});
  BOOST_TEST(questions.take({{"a", accepted(1)}}));
  questions.cancel_all();
  BOOST_TEST(questions.none());
  BOOST_TEST(questions.take_answers() == (JsonObject{{"a", accepted(1)}, {"b", JsonObject{{"action", "cancel"}}}}));
  questions.open({question("c")});
  questions.close();
  BOOST_TEST(questions.none());
  BOOST_TEST(questions.take_answers().empty());
}

BOOST_AUTO_TEST_CASE(reports_are_taken_at_once_and_then_no_more_often_than_the_pause) {
  PacedReports reports;
  BOOST_TEST((reports.say("one", start) == Then::take));
  BOOST_TEST(reports.take(start, 100ms) == "one");
  BOOST_TEST((reports.next() == start + 100ms));
  BOOST_TEST((reports.say("two", start + 10ms) == Then::ask_again));
  BOOST_TEST((reports.say("three", start + 20ms) == Then::nothing));
  BOOST_TEST(reports.due());
  BOOST_TEST(reports.take(start + 100ms, 100ms) == "three");
  BOOST_TEST((reports.say("four", start + 200ms) == Then::take));
}

BOOST_AUTO_TEST_CASE(nothing_is_due_once_the_report_was_taken) {
  PacedReports reports;
  BOOST_TEST((reports.say("one", start) == Then::take));
  BOOST_TEST(reports.take(start, 100ms) == "one");
  BOOST_TEST((reports.say("two", start + 10ms) == Then::ask_again));
  BOOST_TEST((reports.say("three", start + 100ms) == Then::take));  // before the timer
  BOOST_TEST(reports.take(start + 100ms, 100ms) == "three");
  BOOST_TEST(!reports.due());
  BOOST_TEST((reports.say("four", start + 110ms) == Then::ask_again));
}
