#include "report/sarif_report.hpp"

#define BOOST_TEST_MODULE conformance_sarif_report_test
#include <boost/test/unit_test.hpp>

#include <filesystem>

#include "conformance_report.hpp"
#include "scratch_folder.hpp"

using namespace toolwire::conformance;
using toolwire::Json;
using toolwire_test::finding;
using toolwire_test::has;
using toolwire_test::is_safe;
using toolwire_test::nasty_report;
using toolwire_test::nasty_target;

namespace {

Json parsed(const Report& report) { return toolwire::parse_json(toolwire::to_json_text(sarif_report(report))); }

const Json& run_of(const Json& sarif) { return sarif.at("runs").at(0); }

}  // namespace

BOOST_AUTO_TEST_CASE(failures_become_results_with_their_rules) {
  const Target target = nasty_target();
  const Json sarif = parsed(nasty_report(target));
  BOOST_TEST(sarif.at("version") == "2.1.0");
  const Json& results = run_of(sarif).at("results");
  BOOST_TEST_REQUIRE(results.as_array().size() == 2U);
  BOOST_TEST(results.at(0).at("ruleId") == "ping-empty-result");
  BOOST_TEST(results.at(0).at("level") == "error");
  BOOST_TEST(results.at(1).at("level") == "warning");
  const Json& rules = run_of(sarif).at("tool").at("driver").at("rules");
  for (const Json& result : results.as_array()) {
    const auto index = static_cast<std::size_t>(result.at("ruleIndex").to_number<int>());
    BOOST_TEST(rules.at(index).at("id") == result.at("ruleId"));
    BOOST_TEST(result.at("locations").at(0).at("physicalLocation").at("artifactLocation").at("uri").is_string());
  }
  BOOST_TEST(has(std::string(results.at(0).at("message").at("text").as_string()), "Expected: an empty result"));
}

BOOST_AUTO_TEST_CASE(text_of_servers_is_made_visible) {
  const Target target = nasty_target();
  const Json sarif = parsed(nasty_report(target));
  for (const Json& result : run_of(sarif).at("results").as_array())
    BOOST_TEST(is_safe(std::string(result.at("message").at("text").as_string())));
}

BOOST_AUTO_TEST_CASE(a_strict_run_has_errors_only) {
  const Target target = nasty_target();
  Report report = nasty_report(target);
  report.strict = true;
  const Json sarif = parsed(report);
  for (const Json& result : run_of(sarif).at("results").as_array()) BOOST_TEST(result.at("level") == "error");
}

BOOST_AUTO_TEST_CASE(what_the_run_fails_of_beside_its_findings_is_a_notification) {
  const Target target = nasty_target();
  Report report{.target = target, .findings = {finding("ping-empty-result", Verdict::pass)}};
  const auto invocation = [&] { return run_of(parsed(report)).at("invocations").at(0); };
  BOOST_TEST(invocation().at("executionSuccessful") == true);
  report.partial = "the time was over";
  report.mended = {{.check = "ping-prompt", .revision = "2025-11-25"}};
  const Json now = invocation();
  BOOST_TEST(now.at("executionSuccessful") == false);
  const Json& remarks = now.at("toolExecutionNotifications");
  BOOST_TEST_REQUIRE(remarks.as_array().size() == 2U);
  BOOST_TEST(remarks.at(0).at("level") == "warning");
  BOOST_TEST(remarks.at(1).at("level") == "error");
  BOOST_TEST(has(std::string(remarks.at(1).at("message").at("text").as_string()), "ping-prompt"));
}

BOOST_AUTO_TEST_CASE(what_the_baseline_knows_is_suppressed_with_its_reason) {
  const Target target = nasty_target();
  Report report{.target = target, .findings = {finding("ping-empty-result", Verdict::fail)}};
  report.findings[0].known = true;
  report.findings[0].known_because = "mended in 2.1";
  const Json sarif = parsed(report);
  const Json& result = run_of(sarif).at("results").at(0);
  BOOST_TEST(result.at("suppressions").at(0).at("kind") == "external");
  BOOST_TEST(result.at("suppressions").at(0).at("justification") == "mended in 2.1");
}

BOOST_AUTO_TEST_CASE(one_failure_of_several_revisions_is_one_result) {
  const Target target = nasty_target();
  const Report report{
      .target = target,
      .findings = {finding("ping-prompt", Verdict::fail, "2025-06-18"), finding("ping-prompt", Verdict::fail)}};
  const Json sarif = parsed(report);
  BOOST_TEST(run_of(sarif).at("results").as_array().size() == 1U);
  BOOST_TEST(run_of(sarif).at("tool").at("driver").at("rules").as_array().size() == 1U);
}

BOOST_AUTO_TEST_CASE(a_run_without_failures_has_no_result) {
  const Target target = nasty_target();
  const Json sarif = parsed(Report{.target = target, .findings = {finding("ping-prompt", Verdict::pass)}});
  BOOST_TEST(run_of(sarif).at("results").as_array().empty());
}

/// GitHub and others take it for a URI, in which a blank or "#" is none of the path.
BOOST_AUTO_TEST_CASE(a_file_is_named_by_a_uri) {
  const toolwire_test::ScratchFolder folder;
  folder.file("my servers/100%#1\xff.py");
  const auto before = std::filesystem::current_path();
  std::filesystem::current_path(folder.path());
  Target target = nasty_target();
  target.launch.command = {"python3", "my servers/100%#1\xff.py"};
  const Json sarif = parsed(Report{.target = target, .findings = {finding("ping-prompt", Verdict::fail)}});
  std::filesystem::current_path(before);
  const Json& place = run_of(sarif).at("results").at(0).at("locations").at(0).at("physicalLocation");
  BOOST_TEST(place.at("artifactLocation").at("uri") == "my%20servers/100%25%231%FF.py");
}
