#include "report/causes.hpp"

#define BOOST_TEST_MODULE conformance_causes_test
#include <boost/test/unit_test.hpp>
#include <toolwire/schema.hpp>

#include <algorithm>
#include <set>

#include "conformance_report.hpp"
#include "file_content.hpp"
#include "report/json_report.hpp"
#include "report/terminal_report.hpp"

using namespace toolwire::conformance;
using toolwire::Json;
using toolwire_test::content_of;
using toolwire_test::finding;
using toolwire_test::has;
using toolwire_test::nasty_target;

namespace {

const Evidence ends_at_bad_lines{Symptom::ended, "input that is no message", "exited with status 1"};
const Origin typescript{.server = Package{"npm", "a-server", "1.0.0"},
                        .sdks = {{"npm", "@modelcontextprotocol/sdk", "1.22.0"}}};

Finding failed(const std::string& id, Evidence evidence, std::string_view revision = "2025-11-25") {
  Finding it = finding(id, Verdict::fail, revision);
  it.evidence = std::move(evidence);
  return it;
}

std::size_t count_of(const std::vector<Finding>& findings, Verdict verdict) {
  return static_cast<std::size_t>(std::ranges::count(findings, verdict, &Finding::verdict));
}

}  // namespace

BOOST_AUTO_TEST_CASE(a_server_that_ends_at_bad_lines_gets_one_finding) {
  std::vector<Finding> findings = {failed("rb-bom", ends_at_bad_lines), failed("rb-raw-nul-byte", ends_at_bad_lines),
                                   failed("rpc-parse-error-code", ends_at_bad_lines),
                                   finding("ping-empty-result", Verdict::fail)};
  const auto causes = find_causes(findings, {});
  BOOST_TEST_REQUIRE(causes.size() == 1U);
  BOOST_TEST(causes[0].id == "ends-at-invalid-input");
  BOOST_TEST(causes[0].checks.size() == 3U);
  BOOST_TEST(has(causes[0].says, "exited with status 1"));
  BOOST_TEST(count_of(findings, Verdict::fail) == 2U);
  BOOST_TEST(findings[3].cause == "");
  for (const Finding& it : findings) {
    if (it.verdict != Verdict::skip) continue;
    BOOST_TEST(has(it.message, "not judged: the process ends at input that is no message"));
    BOOST_TEST((it.was == Verdict::fail));
  }
}

BOOST_AUTO_TEST_CASE(each_revision_keeps_a_finding_and_they_are_told_together) {
  std::vector<Finding> findings = {failed("rb-bom", ends_at_bad_lines, "2025-06-18"),
                                   failed("rb-raw-nul-byte", ends_at_bad_lines, "2025-06-18"),
                                   failed("rb-bom", ends_at_bad_lines), failed("rb-raw-nul-byte", ends_at_bad_lines)};
  const Target target = nasty_target();
  Report report{.target = target, .findings = findings};
  report.causes = find_causes(report.findings, {});
  BOOST_TEST(report.causes.size() == 1U);
  BOOST_TEST(count_of(report.findings, Verdict::fail) == 2U);
  const std::string text = terminal_report(report, {});
  BOOST_TEST_MESSAGE(text);
  BOOST_TEST(has(text, "[2025-11-25, 2025-06-18]"));
  BOOST_TEST(text.find("FAIL rb-") == text.rfind("FAIL rb-"));
  BOOST_TEST(has(text, "as well"));
  BOOST_TEST(has(text, "every call in flight is lost"));
}

BOOST_AUTO_TEST_CASE(endings_at_different_requests_are_different_causes) {
  std::vector<Finding> findings = {failed("rb-bom", ends_at_bad_lines),
                                   failed("ping-prompt", {Symptom::ended, "tools/call", "exited with status 1"}),
                                   failed("ping-string-id", {Symptom::ended, "ping", "exited with status 1"})};
  BOOST_TEST(find_causes(findings, {}).size() == 3U);
  BOOST_TEST(count_of(findings, Verdict::fail) == 3U);
}

BOOST_AUTO_TEST_CASE(the_check_that_shows_a_foreign_line_best_stays) {
  const Evidence noise{Symptom::foreign_output, "", "listening on 3000"};
  std::vector<Finding> findings = {failed("rb-bom", noise), failed("stdio-stdout-only-mcp", noise),
                                   failed("stdio-stdout-pure-on-error", noise)};
  const auto causes = find_causes(findings, {});
  BOOST_TEST_REQUIRE(causes.size() == 1U);
  BOOST_TEST(causes[0].checks.front() == "stdio-stdout-only-mcp");
  BOOST_TEST(has(causes[0].says, "listening on 3000"));
  BOOST_TEST((findings[1].verdict == Verdict::fail && count_of(findings, Verdict::skip) == 2U));
}

BOOST_AUTO_TEST_CASE(no_batches_is_one_finding_in_its_revision_only) {
  std::vector<Finding> findings = {finding("batch-accepted", Verdict::fail, "2025-03-26"),
                                   finding("batch-single-element", Verdict::fail, "2025-03-26"),
                                   finding("batch-empty", Verdict::warn, "2025-03-26"),
                                   finding("batch-refused-elsewhere", Verdict::fail)};
  const auto causes = find_causes(findings, typescript);
  BOOST_TEST_REQUIRE(causes.size() == 1U);
  BOOST_TEST(causes[0].id == "no-batches");
  BOOST_TEST(causes[0].owner == "@modelcontextprotocol/sdk 1.22.0 (TypeScript SDK)");
  BOOST_TEST(causes[0].report.starts_with("https://"));
  BOOST_TEST((findings[0].verdict == Verdict::fail && findings[3].verdict == Verdict::fail));
  BOOST_TEST(count_of(findings, Verdict::skip) == 2U);
}

BOOST_AUTO_TEST_CASE(a_batch_that_fails_beside_accepted_ones_has_no_such_cause) {
  std::vector<Finding> findings = {finding("batch-accepted", Verdict::pass, "2025-03-26"),
                                   finding("batch-single-element", Verdict::fail, "2025-03-26")};
  BOOST_TEST(find_causes(findings, {}).empty());
  BOOST_TEST((findings[1].verdict == Verdict::fail));
}

BOOST_AUTO_TEST_CASE(nobody_owns_what_cannot_be_told) {
  std::vector<Finding> findings = {failed("stdio-stdout-only-mcp", {Symptom::foreign_output, "", "hello"})};
  const auto causes = find_causes(findings, typescript);
  BOOST_TEST_REQUIRE(causes.size() == 1U);
  BOOST_TEST(causes[0].owner == "");
}

BOOST_AUTO_TEST_CASE(what_the_baseline_knows_stays_as_it_is) {
  std::vector<Finding> findings = {failed("rb-bom", ends_at_bad_lines), failed("rb-raw-nul-byte", ends_at_bad_lines)};
  for (Finding& it : findings) it.known = true;
  BOOST_TEST(find_causes(findings, {}).empty());
  BOOST_TEST(count_of(findings, Verdict::fail) == 2U);
}

BOOST_AUTO_TEST_CASE(the_json_report_tells_causes_and_fits_its_schema) {
  const Target target = nasty_target();
  Report report{.target = target,
                .findings = {finding("batch-accepted", Verdict::fail, "2025-03-26"),
                             finding("batch-empty", Verdict::fail, "2025-03-26")}};
  report.findings[0].sent = {.steps = {"[]\n"}};
  report.origin = typescript;
  report.causes = find_causes(report.findings, report.origin);
  const Json json = toolwire::parse_json(toolwire::to_json_text(json_report(report)));
  const auto schema = toolwire::Schema::compile(
      toolwire::parse_json(content_of(TOOLWIRE_SOURCE_DIR "/conformance/report/report.schema.json")));
  for (const auto& violation : schema.validate(json)) BOOST_ERROR(violation.text());
  BOOST_TEST(json.at("causes").at(0).at("id") == "no-batches");
  BOOST_TEST(json.at("checks").at(0).at("cause") == "no-batches");
  BOOST_TEST(json.at("checks").at(0).as_object().contains("pipeline"));
  BOOST_TEST(json.at("checks").at(1).at("was") == "FAIL");
  BOOST_TEST(json.at("origin").at("sdks").at(0).at("version") == "1.22.0");
}

/// Each cause and each address stands for something that is there.
BOOST_AUTO_TEST_CASE(the_table_of_causes_names_checks_groups_and_causes_that_exist) {
  const auto exists = [](const std::string& name) {
    return std::ranges::any_of(requirements(), [&](const auto& it) { return it.id == name || it.group == name; });
  };
  std::set<std::string> ids;
  for (const KnownCause& cause : known_causes()) {
    BOOST_TEST(ids.insert(cause.id).second, cause.id);
    BOOST_TEST(((cause.symptom != Symptom::none) != !cause.when.empty()), cause.id);
    BOOST_TEST((!cause.says.empty() && !cause.loses.empty() && !cause.fix.empty()), cause.id);
    if (!cause.when.empty()) BOOST_TEST((find_requirement(cause.when) != nullptr), cause.when);
    for (const auto& list : {cause.explains, cause.shown_by}) {
      for (const std::string& name : list) BOOST_TEST(exists(name), name);
    }
  }
  for (const Sdk& sdk : known_sdks()) {
    for (const auto& [cause, address] : sdk.owns)
      BOOST_TEST((ids.contains(cause) && (address.empty() || address.starts_with("https://"))), cause);
  }
}
