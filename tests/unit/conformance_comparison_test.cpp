#include "report/comparison.hpp"

#define BOOST_TEST_MODULE conformance_comparison_test
#include <boost/test/unit_test.hpp>

#include <initializer_list>
#include <stdexcept>
#include <utility>

using namespace toolwire::conformance;
using toolwire::Json;
using toolwire::JsonArray;
using toolwire::JsonObject;

namespace {

Json report(std::initializer_list<std::pair<const char*, const char*>> verdicts) {
  JsonArray checks;
  for (const auto& [id, verdict] : verdicts)
    checks.push_back(JsonObject{{"id", id}, {"revision", "2025-11-25"}, {"verdict", verdict}});
  return JsonObject{{"format", 1}, {"checks", std::move(checks)}};
}

}  // namespace

BOOST_AUTO_TEST_CASE(each_change_is_told_for_what_it_is) {
  const Comparison it = compare_reports(
      report({{"a", "PASS"}, {"b", "FAIL"}, {"c", "PASS"}, {"d", "SKIP"}, {"e", "WARN"}, {"f", "PASS"}, {"g", "FAIL"}}),
      report(
          {{"a", "FAIL"}, {"b", "PASS"}, {"c", "SKIP"}, {"d", "PASS"}, {"e", "FAIL"}, {"f", "PASS"}, {"h", "WARN"}}));
  BOOST_TEST(text_of(it) ==
             "worse (3)\n"
             "  2025-11-25 a: PASS -> FAIL\n"
             "  2025-11-25 e: WARN -> FAIL\n"
             "  2025-11-25 h: none -> WARN\n"
             "not judged any more (2)\n"
             "  2025-11-25 c: PASS -> SKIP\n"
             "  2025-11-25 g: FAIL -> none\n"
             "mended (1)\n"
             "  2025-11-25 b: FAIL -> PASS\n"
             "judged for the first time (1)\n"
             "  2025-11-25 d: SKIP -> PASS\n");
}

BOOST_AUTO_TEST_CASE(equal_reports_have_no_changes) {
  const Json one = report({{"a", "PASS"}, {"b", "FAIL"}, {"c", "SKIP"}});
  BOOST_TEST(text_of(compare_reports(one, one)) == "no verdict has changed\n");
}

/// Which check of a cause stays a failure may differ from run to run.
BOOST_AUTO_TEST_CASE(a_skip_for_a_cause_counts_as_the_failure_it_would_be) {
  const Json before = report({{"a", "FAIL"}});
  Json after = report({{"a", "SKIP"}});
  after.at("checks").at(0).as_object()["was"] = "FAIL";
  BOOST_TEST(text_of(compare_reports(before, after)) == "no verdict has changed\n");
}

BOOST_AUTO_TEST_CASE(what_is_no_report_is_refused) {
  BOOST_CHECK_THROW(compare_reports(report({}), Json("x")), std::invalid_argument);
  BOOST_CHECK_THROW(compare_reports(JsonObject{{"format", 2}, {"checks", JsonArray{}}}, report({})),
                    std::invalid_argument);
}
