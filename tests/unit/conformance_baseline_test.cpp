#include "report/baseline.hpp"

#define BOOST_TEST_MODULE conformance_baseline_test
#include <boost/test/unit_test.hpp>

#include "conformance_report.hpp"

using namespace toolwire::conformance;
using toolwire::parse_json;
using toolwire_test::finding;
using toolwire_test::nasty_target;

namespace {

constexpr const char* today = "2026-11-22";

std::vector<KnownFailure> known_until(const std::string& day) {
  return read_baseline(parse_json(R"({"known": [{"check": "ping-prompt", "revision": "2025-11-25", "verdict": "FAIL",
                                       "reason": "of the SDK", "expires": ")" +
                                  day + "\"}]}"));
}

}  // namespace

BOOST_AUTO_TEST_CASE(what_is_written_is_read_back_and_known) {
  std::vector<Finding> findings = {finding("ping-prompt", Verdict::fail), finding("ping-string-id", Verdict::warn),
                                   finding("ping-empty-result", Verdict::pass)};
  const auto baseline = read_baseline(parse_json(baseline_text(findings)));
  BOOST_TEST(baseline.size() == 2U);
  BOOST_TEST(apply_baseline(baseline, today, findings).mended.empty());
  BOOST_TEST(findings[0].known);
  BOOST_TEST(findings[1].known);
  BOOST_TEST(!findings[2].known);
  const Target target = nasty_target();
  BOOST_TEST(!has_failed({.target = target, .strict = true, .findings = findings}));
}

BOOST_AUTO_TEST_CASE(a_failure_in_another_revision_is_new) {
  const auto baseline = read_baseline(parse_json(baseline_text({finding("ping-prompt", Verdict::fail, "2025-06-18")})));
  std::vector<Finding> findings = {finding("ping-prompt", Verdict::fail)};
  apply_baseline(baseline, today, findings);
  BOOST_TEST(!findings[0].known);
}

BOOST_AUTO_TEST_CASE(a_warning_that_became_a_failure_is_new) {
  const auto baseline = read_baseline(parse_json(baseline_text({finding("ping-prompt", Verdict::warn)})));
  std::vector<Finding> findings = {finding("ping-prompt", Verdict::fail)};
  apply_baseline(baseline, today, findings);
  BOOST_TEST(!findings[0].known);
}

BOOST_AUTO_TEST_CASE(what_passes_now_is_named) {
  const auto baseline = read_baseline(parse_json(baseline_text({finding("ping-prompt", Verdict::fail)})));
  std::vector<Finding> findings = {finding("ping-prompt", Verdict::pass)};
  BOOST_TEST((apply_baseline(baseline, today, findings).mended == baseline));
  findings = {finding("ping-prompt", Verdict::skip)};
  BOOST_TEST(apply_baseline(baseline, today, findings).mended.empty());
}

BOOST_AUTO_TEST_CASE(an_entry_that_is_none_is_named) {
  for (
      const char* text :
      {"[]", "{}", R"({"known": [{}]})", R"({"known": [{"check": "a", "revision": "1999-01-01", "verdict": "FAIL"}]})",
       R"({"known": [{"check": "a", "revision": "2025-11-25", "verdict": "PASS"}]})",
       R"({"known": [{"check": "no-such-check", "revision": "2025-11-25", "verdict": "FAIL"}]})",
       R"({"known": [{"check": "ping-prompt", "revision": "2025-11-25", "verdict": "FAIL", "expires": "soon"}]})",
       R"({"known": [{"check": "ping-prompt", "revision": "2025-11-25", "verdict": "FAIL", "expires": "2026-02-30"}]})",
       R"({"known": [{"check": "ping-prompt", "revision": "2025-11-25", "verdict": "FAIL", "expires": "2026-13-01"}]})",
       R"({"known": [{"check": "ping-prompt", "revision": "2025-11-25", "verdict": "FAIL", "reason": 5}]})"})
    BOOST_CHECK_THROW(read_baseline(parse_json(text)), std::invalid_argument);
}

BOOST_AUTO_TEST_CASE(an_entry_excuses_until_its_day_is_over) {
  std::vector<Finding> findings = {finding("ping-prompt", Verdict::fail)};
  BOOST_TEST(apply_baseline(known_until(today), today, findings).expired.empty());
  BOOST_TEST(findings[0].known);
  BOOST_TEST(findings[0].known_because == "of the SDK");
  BOOST_TEST(apply_baseline(known_until("2026-11-21"), today, findings).expired.size() == 1U);
  BOOST_TEST(!findings[0].known);
  BOOST_TEST(day_of(std::chrono::system_clock::time_point{}) == "1970-01-01");
}

BOOST_AUTO_TEST_CASE(reasons_and_days_stay_when_it_is_written_again) {
  const auto before = known_until(today);
  const std::vector<Finding> findings = {finding("ping-prompt", Verdict::fail),
                                         finding("ping-string-id", Verdict::warn)};
  const auto after = read_baseline(parse_json(baseline_text(findings, before)));
  BOOST_TEST_REQUIRE(after.size() == 2U);
  BOOST_TEST((after[0] == before[0]));
  BOOST_TEST(after[1].reason.empty());
}

/// As by a run with --only, or where a fixture was missing.
BOOST_AUTO_TEST_CASE(what_a_run_has_not_judged_stays_when_it_is_written_again) {
  const auto before = known_until(today);
  const auto again = [&](const std::vector<Finding>& findings) {
    return read_baseline(parse_json(baseline_text(findings, before)));
  };
  BOOST_TEST((again({finding("ping-prompt", Verdict::skip)}) == before));
  BOOST_TEST((again({finding("ping-prompt", Verdict::pass, "2025-06-18")}) == before));
  BOOST_TEST(again({finding("ping-string-id", Verdict::warn)}).size() == 2U);
  BOOST_TEST(again({finding("ping-prompt", Verdict::pass)}).empty());
}

BOOST_AUTO_TEST_CASE(a_baseline_that_is_out_of_date_fails_the_run) {
  const Target target = nasty_target();
  Report report{.target = target, .findings = {finding("ping-prompt", Verdict::pass)}};
  BOOST_TEST(!has_failed(report));
  report.mended = known_until(today);
  BOOST_TEST(has_failed(report));
}
