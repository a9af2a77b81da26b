// Scenarios that authors write: what matches, what variables become, and which files are refused, where.
#include "scenario/read_scenarios.hpp"

#define BOOST_TEST_MODULE conformance_scenario_files_test
#include <boost/test/unit_test.hpp>

#include <stdexcept>
#include <string>
#include <vector>

#include "scenario/matcher.hpp"
#include "scenario/variables.hpp"

using namespace toolwire::conformance;
using toolwire::Json;
using toolwire::JsonObject;
using toolwire::parse_json;

namespace {

struct Match {
  const char* matcher;
  const char* found;
  const char* why;  // empty: it matches
};

const std::vector<Match> matches{
    {"1", "1", ""},
    {"1", "1.0", ""},
    {"1", "2", "expected 1, found 2"},
    {"null", "null", ""},
    {R"("a")", R"("b")", R"(expected "a", found "b")"},
    {R"({"a": 1})", R"({"a": 1, "b": 2})", ""},
    {R"({"a": 1})", R"({"b": 2})", "at /a: expected 1, found nothing"},
    {R"({"a": {"b/c": 1}})", R"({"a": {"b/c": 2}})", "at /a/b~1c: expected 1, found 2"},
    {R"({"a": 1})", "3", "expected an object, found 3"},
    {"{}", "[]", "expected an object, found []"},
    {"[1, {}]", R"([1, {"a": 2}])", ""},
    {"[1]", "[1, 2]", "expected an array of 1, found [1,2]"},
    {"[1, 2]", "[1, 3]", "at /1: expected 2, found 3"},
    {R"({"$exactly": {"a": [1]}})", R"({"a": [1.0]})", ""},
    {R"({"$exactly": {"a": 1}})", R"({"a": 1, "b": 2})", R"(expected {"a":1}, found {"a":1,"b":2})"},
    {R"({"$contains": {"text": "x"}})", R"([{"text": "y"}, {"text": "x", "type": "text"}])", ""},
    {R"({"$contains": 1})", "[2]", "expected an array with 1, found [2]"},
    {R"({"$contains": 1})", "1", "expected an array with 1, found 1"},
    {R"({"$not": 1})", "2", ""},
    {R"({"a": {"$not": 1}})", R"({"a": 1})", "at /a: expected anything but 1, found 1"},
    {R"({"$any_of": [1, 2]})", "2", ""},
    {R"({"$any_of": [1, 2]})", "3", "expected one of [1,2], found 3"},
    {R"({"$any_of": []})", "3", "expected one of [], found 3"},
    {R"({"a": {"$absent": true}})", "{}", ""},
    {R"({"a": {"$absent": true}})", R"({"a": null})", "at /a: expected nothing, found null"},
    {R"({"$matches": "^a+$"})", R"("aaa")", ""},
    {R"({"$matches": "b"})", R"("abc")", ""},
    {R"({"$matches": "^b"})", "7", "expected a string, found 7"},
    {R"({"$schema": {"type": "array", "items": {"minimum": 3}}})", "[3, 4]", ""},
    {R"({"a": {"$schema": {"items": {"minimum": 3}}}})", R"({"a": [4, 2]})", "at /a/1: 2 is not at least 3, found 2"},
    {R"({"a": {"$schema": {"type": "string"}}})", "{}", "at /a: expected a value, found nothing"},
    {R"({"$not": 1, "$schema": {"type": "integer"}})", "2", ""},
    {R"({"$not": 1, "$schema": {"type": "integer"}})", "1", "expected anything but 1, found 1"},
};

struct Mistake {
  const char* file;
  const char* said;
};

std::string step(const std::string& text, const std::string& before = "") {
  return R"({"scenarios": [{"id": "one", "requires": "it", "steps": [)" + before + (before.empty() ? "" : ", ") + text +
         "]}]}";
}

const std::vector<Mistake> mistakes{
    {"[]", "expected an object, found []"},
    {"{}", "/scenarios: expected an array that is not empty, found null"},
    {R"({"scenarios": []})", "/scenarios: expected an array that is not empty, found []"},
    {R"({"scenario": []})", "/scenario: expected one of group, variables, scenarios"},
    {R"({"group": "A b", "scenarios": [{}]})", "/group: expected small letters, digits and \"-\", found \"A b\""},
    {R"({"scenarios": [{}]})", "/scenarios/0: expected the member \"id\""},
    {R"({"scenarios": [{"id": "One", "requires": "it"}]})", "/scenarios/0/id: expected small letters"},
    {R"({"scenarios": [{"id": "one", "steps": []}]})", "/scenarios/0: expected the member \"requires\""},
    {R"({"scenarios": [{"id": "one", "requires": "it", "steps": []}]})", "/scenarios/0/steps: expected an array"},
    {R"({"scenarios": [{"id": "one", "requires": "it", "level": "MAY", "steps": [{}]}]})",
     "/scenarios/0/level: expected \"MUST\" or \"SHOULD\", found \"MAY\""},
    {R"({"scenarios": [{"id": "one", "requires": "it", "revisions": ["2025"], "steps": [{}]}]})",
     "/scenarios/0/revisions: expected names of revisions, such as \"2025-11-25\", found \"2025\""},
    {R"({"variables": {"a b": 1}, "scenarios": [{}]})", "/variables/a b: expected letters, digits and underscores"},
};

const std::vector<std::pair<std::string, const char*>> wrong_steps{
    {"3", "/scenarios/0/steps/0: expected an object with one of connect, request, await, cancel, notify, send, "},
    {"{}", "/scenarios/0/steps/0: expected an object with one of "},
    {R"({"request": "a", "notify": "b"})", "expected one action, found request and notify"},
    {R"({"request": "a", "timeout": 3})", "/scenarios/0/steps/0/timeout: expected one of request, on, params, as, "},
    {R"({"request": ""})", "/scenarios/0/steps/0/request: expected a string that is not empty, found \"\""},
    {R"({"request": "a", "params": 3})", "/scenarios/0/steps/0/params: expected an object, found 3"},
    {R"({"request": "a", "within_ms": 0})", "/within_ms: expected milliseconds from 1 to 3600000, found 0"},
    {R"({"request": "a", "within_ms": 1.5})", "/within_ms: expected milliseconds from 1 to 3600000"},
    {R"({"request": "a", "expect": {}})", "/expect: expected either \"result\" or \"error\", found {}"},
    {R"({"request": "a", "expect": {"result": 1, "error": 2}})", "/expect: expected either \"result\" or \"error\""},
    {R"({"request": "a", "expect": {"result": {"a": {"$regex": "b"}}}})",
     "/scenarios/0/steps/0/expect/result/a: expected one of $schema, $matches, $exactly, "},
    {R"({"request": "a", "expect": {"result": {"a": {"b": 1, "$not": 2}}}})",
     "/expect/result/a: expected no words with $ beside members"},
    {R"({"request": "a", "expect": {"result": {"$absent": false}}})",
     "/expect/result/$absent: expected true, found false"},
    {R"({"request": "a", "expect": {"result": {"$schema": {"type": "strin"}}}})", "/expect/result/$schema: #/type"},
    {R"({"request": "a", "expect": {"result": {"$matches": "("}}})", "/expect/result/$matches: #/pattern"},
    {R"({"request": "a", "expect": {"result": [1, {"b": {"$any_of": [2, {"$matches": "("}]}}]}})",
     "/expect/result/1/b/$any_of/1/$matches: #/pattern"},
    {R"({"request": "a", "expect": {"result": {"$any_of": {}}}})", "/$any_of: expected an array of matchers, found {}"},
    {R"({"request": "a", "keep": {"x": "content"}})", "/keep/x: expected a JSON pointer, such as"},
    {R"({"request": "a", "keep": {"1x": ""}})", "/keep/1x: expected letters, digits and underscores"},
    {R"({"request": "a", "params": {"x": "${y}"}})", "/scenarios/0/steps/0: there is no variable \"y\" yet"},
    {R"({"request": "a", "params": {"x": "${y"}})", "expected the name of a variable and \"}\" after \"${\""},
    {R"({"request": "a", "on": "other"})", "expected a step that connects \"other\" before this one"},
    {R"({"await": "a"})", "/await: expected the name that \"as\" gives a request before, found \"a\""},
    {R"({"cancel": "a"})", "/cancel: expected the name that \"as\" gives a request before"},
    {R"({"request": "a", "as": "it", "expect": {"result": 1}})", "/expect: expected in the step that awaits \"it\""},
    {R"({"expect_no_message": {}})", "expected \"within_ms\", for how long nothing may come"},
};

std::string problem_of(const std::string& text) {
  try {
    read_scenarios(parse_json(text), "own.json");
  } catch (const std::invalid_argument& error) {
    return error.what();
  }
  return "";
}

bool is_said(const std::string& problem, const std::string& said) { return problem.find(said) != std::string::npos; }

}  // namespace

BOOST_AUTO_TEST_CASE(a_matcher_says_what_differs_and_where) {
  for (const Match& row : matches) {
    const Json found = parse_json(row.found);
    const Json matcher = parse_json(row.matcher);
    const std::string why = mismatch(matcher, &found);
    BOOST_TEST(why == row.why, row.matcher << " and " << row.found << ": " << why);
    BOOST_CHECK_NO_THROW(check_matcher(matcher));
  }
}

BOOST_AUTO_TEST_CASE(a_variable_becomes_its_value_and_text_within_text) {
  const JsonObject variables{{"n", 3}, {"s", "ab"}, {"o", JsonObject{{"k", true}}}};
  const auto filled = [&](const char* text) { return filled_in(parse_json(text), variables); };
  BOOST_TEST(filled(R"(["${n}", "${s}", "${o}", 1, null])") == parse_json(R"([3, "ab", {"k": true}, 1, null])"));
  BOOST_TEST(filled(R"({"${n}": "${n}${s} ${o}"})") == parse_json(R"({"${n}": "3ab {\"k\":true}"})"));
  BOOST_TEST(filled(R"(["$${n}", "$", "a $5", "$$${n}", "{n}"])") ==
             parse_json(R"(["${n}", "$", "a $5", "$${n}", "{n}"])"));
  BOOST_CHECK_THROW(filled("\"${m}\""), std::out_of_range);
}

BOOST_AUTO_TEST_CASE(a_file_that_is_not_understood_is_refused_with_the_place) {
  for (const Mistake& mistake : mistakes) {
    const std::string problem = problem_of(mistake.file);
    BOOST_TEST(is_said(problem, mistake.said), mistake.file << ": " << problem);
  }
  for (const auto& [text, said] : wrong_steps) {
    const std::string problem = problem_of(step(text));
    BOOST_TEST(is_said(problem, said), text << ": " << problem);
  }
}

BOOST_AUTO_TEST_CASE(a_step_may_use_what_those_before_it_have_brought) {
  const std::string connect = R"({"connect": "other"})";
  BOOST_TEST(problem_of(step(R"({"request": "a", "on": "other"})", connect)).empty());
  BOOST_TEST(is_said(problem_of(step(connect, connect)), "there is a connection \"other\" already"));
  BOOST_TEST(is_said(problem_of(step(R"({"connect": "main"})", R"({"request": "a"})")), "\"main\" already"));
  BOOST_TEST(problem_of(step(R"({"request": "a"})", R"({"connect": "main"})")).empty());
  BOOST_TEST(is_said(problem_of(step(R"({"request": "a"})", R"({"close": "main"})")), "was closed before"));
  BOOST_TEST(problem_of(step(R"({"await": "it"})", R"({"request": "a", "as": "it"})")).empty());
  BOOST_TEST(is_said(problem_of(step(R"({"request": "a", "as": "it"})", R"({"request": "a", "as": "it"})")),
                     "there is a request \"it\" already"));
  BOOST_TEST(problem_of(step(R"({"send": "${x}"})", R"({"request": "a", "keep": {"x": "/y"}})")).empty());
}

BOOST_AUTO_TEST_CASE(a_scenario_is_a_requirement) {
  const auto all = read_scenarios(parse_json(R"({"variables": {"x": 1, "y": 2}, "scenarios": [
      {"id": "one", "requires": "it works", "level": "SHOULD", "revisions": ["2026-07-28"], "why": "w", "fix": "f",
       "variables": {"y": 3}, "steps": [{"request": "a", "params": {"x": "${x}"}, "within_ms": 50}]}]})"),
                                  "some/calculator.json");
  BOOST_REQUIRE(all.size() == 1U);
  const Requirement& requirement = all.front().requirement;
  BOOST_TEST(requirement.group == "calculator");
  BOOST_TEST(requirement.requirement == "it works");
  BOOST_TEST((verdict_of(requirement) == Verdict::warn));
  BOOST_TEST(requirement.section == "some/calculator.json");
  BOOST_TEST(requirement.holds_in("2026-07-28"));
  BOOST_TEST(!requirement.holds_in("2025-11-25"));
  BOOST_TEST(all.front().variables == (JsonObject{{"x", 1}, {"y", 3}}));
  BOOST_TEST(all.front().steps.front().within->count() == 50);
}
