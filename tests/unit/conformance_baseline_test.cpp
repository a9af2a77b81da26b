#include "report/baseline.hpp"

#define BOOST_TEST_MODULE conformance_baseline_test
#include <boost/test/unit_test.hpp>

#include "conformance_report.hpp"

using namespace toolwire::conformance;
using toolwire::parse_json;
using toolwire_test::finding;
using toolwire_test::nasty_target;

BOOST_AUTO_TEST_CASE(what_is_written_is_read_back_and_known) {
  std::vector<Finding> findings = {finding("ping-prompt", Verdict::fail), finding("ping-string-id", Verdict::warn),
                                   finding("ping-empty-result", Verdict::pass)};
  const auto baseline = read_baseline(parse_json(baseline_text(findings)));
  BOOST_TEST(baseline.size() == 2U);
  BOOST_TEST(apply_baseline(baseline, findings).empty());
  BOOST_TEST(findings[0].known);
  BOOST_TEST(findings[1].known);
  BOOST_TEST(!findings[2].known);
  const Target target = nasty_target();
  BOOST_TEST(!has_failed({.target = target, .findings = findings}, true));
}

BOOST_AUTO_TEST_CASE(a_failure_in_another_revision_is_new) {
  const auto baseline = read_baseline(parse_json(baseline_text({finding("ping-prompt", Verdict::fail, "2025-06-18")})));
  std::vector<Finding> findings = {finding("ping-prompt", Verdict::fail)};
  apply_baseline(baseline, findings);
  BOOST_TEST(!findings[0].known);
}

BOOST_AUTO_TEST_CASE(a_warning_that_became_a_failure_is_new) {
  const auto baseline = read_baseline(parse_json(baseline_text({finding("ping-prompt", Verdict::warn)})));
  std::vector<Finding> findings = {finding("ping-prompt", Verdict::fail)};
  apply_baseline(baseline, findings);
  BOOST_TEST(!findings[0].known);
}

BOOST_AUTO_TEST_CASE(what_passes_now_is_named) {
  const auto baseline = read_baseline(parse_json(baseline_text({finding("ping-prompt", Verdict::fail)})));
  std::vector<Finding> findings = {finding("ping-prompt", Verdict::pass)};
  BOOST_TEST((apply_baseline(baseline, findings) == baseline));
  findings = {finding("ping-prompt", Verdict::skip)};
  BOOST_TEST(apply_baseline(baseline, findings).empty());
}

BOOST_AUTO_TEST_CASE(an_entry_that_is_none_is_named) {
  for (const char* text :
       {"[]", "{}", R"({"known": [{}]})", R"({"known": [{"check": "a", "revision": "1999-01-01", "verdict": "FAIL"}]})",
        R"({"known": [{"check": "a", "revision": "2025-11-25", "verdict": "PASS"}]})"})
    BOOST_CHECK_THROW(read_baseline(parse_json(text)), std::invalid_argument);
}
