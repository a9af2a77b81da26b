#include "report/github_report.hpp"

#define BOOST_TEST_MODULE conformance_github_report_test
#include <boost/test/unit_test.hpp>

#include <algorithm>

#include "conformance_report.hpp"

using namespace toolwire::conformance;
using toolwire_test::finding;
using toolwire_test::has;
using toolwire_test::is_safe;
using toolwire_test::nasty_report;
using toolwire_test::nasty_target;

BOOST_AUTO_TEST_CASE(each_failure_is_one_command_the_worst_first) {
  const Target target = nasty_target();
  const std::string text = github_annotations(nasty_report(target));
  BOOST_TEST_MESSAGE(text);
  BOOST_TEST(std::ranges::count(text, '\n') == 3);
  BOOST_TEST(text.starts_with("::error "));
  BOOST_TEST(has(text, "title=FAIL ping-empty-result (2025-11-25)::"));
  const std::size_t baseline = text.find("\n::error title=FAIL::2025-11-25 ping-server-issued is in the baseline");
  const std::size_t warning = text.find("\n::warning ");
  BOOST_REQUIRE(std::max(baseline, warning) != std::string::npos);
  BOOST_TEST(baseline < warning);
  BOOST_TEST(has(text, "%0Aexpected: an empty result%0A"));
}

/// What a server writes must not become a command, nor end one.
BOOST_AUTO_TEST_CASE(text_of_servers_makes_no_command) {
  const Target target = nasty_target();
  Report report{.target = target, .findings = {finding("ping-empty-result", Verdict::fail)}};
  report.findings[0].got = "100 %\r\n::set-output name=x::y\n::stop-commands::z";
  const std::string text = github_annotations(report);
  BOOST_TEST(std::ranges::count(text, '\n') == 1);
  BOOST_TEST(!has(text, "\n::set-output"));
  BOOST_TEST(has(text, "100 %25"));
}

BOOST_AUTO_TEST_CASE(a_strict_run_has_no_warnings) {
  const Target target = nasty_target();
  Report report = nasty_report(target);
  report.strict = true;
  BOOST_TEST(!has(github_annotations(report), "::warning"));
}

BOOST_AUTO_TEST_CASE(the_summary_has_verdict_failures_and_counts) {
  const Target target = nasty_target();
  const std::string text = github_summary(nasty_report(target));
  BOOST_TEST(text.starts_with("## MCP conformance: FAIL"));
  BOOST_TEST(has(text, "<b>FAIL</b> ping-empty-result"));
  BOOST_TEST(has(text, "| ping | 0 | 1 | 1 | 0 | 1 |"));
  BOOST_TEST(is_safe(text));
  BOOST_TEST(!has(text, "a<b>"));
}

BOOST_AUTO_TEST_CASE(the_summary_is_no_longer_than_github_takes) {
  const Target target = nasty_target();
  Report report{.target = target};
  for (int i = 0; i < 2000; ++i) {
    report.findings.push_back(finding("ping-prompt", Verdict::fail));
    report.findings.back().got = std::to_string(i) + std::string(5000, 'x');
  }
  BOOST_TEST(github_summary(report).size() < (std::size_t{1} << 20));
}

BOOST_AUTO_TEST_CASE(an_early_end_is_in_the_summary) {
  const Target target = nasty_target();
  const Report report{
      .target = target, .findings = {finding("ping-prompt", Verdict::pass)}, .partial = "its time was over"};
  BOOST_TEST(has(github_summary(report), "its time was over"));
}
