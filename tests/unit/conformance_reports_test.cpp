#include "report/json_report.hpp"

#define BOOST_TEST_MODULE conformance_reports_test
#include <boost/test/unit_test.hpp>
#include <toolwire/schema.hpp>
#include <toolwire/text.hpp>

#include <fstream>
#include <iterator>

#include "conformance_report.hpp"
#include "driver/message.hpp"
#include "misleading_texts.hpp"
#include "report/badge.hpp"
#include "report/github_report.hpp"
#include "report/html_report.hpp"
#include "report/junit_report.hpp"
#include "report/terminal_report.hpp"

using namespace toolwire::conformance;
using toolwire::Json;
using toolwire_test::finding;
using toolwire_test::has;
using toolwire_test::is_safe;
using toolwire_test::nasty_report;
using toolwire_test::nasty_target;

namespace {

toolwire::Schema published_schema() {
  std::ifstream file(TOOLWIRE_SOURCE_DIR "/conformance/report/report.schema.json");
  return toolwire::Schema::compile(toolwire::parse_json(std::string{std::istreambuf_iterator<char>(file), {}}));
}

std::string violations(const Json& report) {
  std::string text;
  for (const auto& violation : published_schema().validate(report)) text += violation.text() + "\n";
  return text;
}

const Json& check(const Json& report, std::size_t index) { return report.at("checks").at(index); }

}  // namespace

BOOST_AUTO_TEST_CASE(the_json_report_fits_its_published_schema) {
  const Target target = nasty_target();
  const Json report = toolwire::parse_json(toolwire::to_json_text(json_report(nasty_report(target))));
  BOOST_TEST(violations(report) == "");
}

BOOST_AUTO_TEST_CASE(the_published_schema_refuses_reports_with_something_missing) {
  const Target target = nasty_target();
  Json report = json_report(nasty_report(target));
  report.at("checks").at(3).as_object().erase("fix");
  BOOST_TEST(has(violations(report), "fix"));
  report.at("checks").at(0).at("verdict") = "GOOD";
  BOOST_TEST(has(violations(report), "verdict"));
  report.as_object().erase("summary");
  BOOST_TEST(has(violations(report), "summary"));
}

BOOST_AUTO_TEST_CASE(the_json_report_says_what_was_found) {
  const Target target = nasty_target();
  const Json report = json_report(nasty_report(target));
  BOOST_TEST(report.at("summary").at("fail") == Json(1));
  BOOST_TEST(report.at("summary").at("checks") == Json(5));
  BOOST_TEST(check(report, 1).at("verdict") == "SKIP");
  BOOST_TEST(check(report, 1).at("message") == "message of ping-prompt");
  BOOST_TEST(check(report, 3).at("level") == "MUST");
  BOOST_TEST(check(report, 3).at("expected") == "an empty result");
  BOOST_TEST(check(report, 3).at("repeat") ==
             "toolwire-conformance --only ping-empty-result --revision 2025-11-25 --timeout 2 -- ./server --name "
             "'it'\\''s' '\x1b[0m'");
  BOOST_TEST(report.at("mended").at(0).at("id") == "ping-server-issued");
}

BOOST_AUTO_TEST_CASE(no_report_passes_on_what_a_terminal_or_a_parser_would_obey) {
  const Target target = nasty_target();
  const Report report = nasty_report(target);
  BOOST_TEST(is_safe(terminal_report(report, {.colour = false, .verbose = true})));
  BOOST_TEST(is_safe(junit_report(report)));
  BOOST_TEST(is_safe(html_report(report)));
  BOOST_TEST(is_safe(badge(report, "badge.svg")));
  BOOST_TEST(!has(html_report(report), "<script"));
  BOOST_TEST(!has(junit_report(report), "a<b>"));
}

BOOST_AUTO_TEST_CASE(every_report_shows_what_hides_in_the_text_of_a_server) {
  const Target target = nasty_target();
  for (const toolwire::tests::MisleadingText& it : toolwire::tests::misleading_texts) {
    Report report{.target = target, .findings = {finding("ping-empty-result", Verdict::fail)}};
    report.findings[0].got = it.bytes;
    report.findings[0].message = it.bytes;
    report.findings[0].transcript = std::string(it.bytes) + "\n";
    for (const std::string& text :
         {terminal_report(report, {.verbose = true}), html_report(report), junit_report(report)})
      BOOST_TEST((has(text, std::string(it.visible)) && toolwire::text::visible(text, toolwire::text::lines) == text),
                 it.what);
  }
}

BOOST_AUTO_TEST_CASE(the_terminal_report_has_colour_only_if_asked_for) {
  const Target target = nasty_target();
  BOOST_TEST(has(terminal_report(nasty_report(target), {.colour = true}), "\x1b[1;31mFAIL\x1b[0m"));
  BOOST_TEST(!has(terminal_report(nasty_report(target), {.colour = false}), "\x1b"));
}

BOOST_AUTO_TEST_CASE(a_failure_comes_with_all_that_its_author_needs) {
  const Target target = nasty_target();
  const std::string text = terminal_report(nasty_report(target), {});
  for (const char* part :
       {"FAIL ping-empty-result", "expected  an empty result", "why  ", "fix  ", "repeat  ", "--only ping-empty-result",
        "1 ms -> {}", "1 passed, 1 failed, 1 warning, 1 skipped, 1 note"})
    BOOST_TEST(has(text, part), part);
}

BOOST_AUTO_TEST_CASE(the_same_failure_in_two_revisions_is_told_once) {
  const Target target = nasty_target();
  Report report{.target = target};
  report.findings = {finding("ping-prompt", Verdict::fail, "2025-06-18"), finding("ping-prompt", Verdict::fail)};
  BOOST_TEST(has(terminal_report(report, {}), "FAIL ping-prompt  [2025-11-25, 2025-06-18]"));
  report.findings.back().got = "something else";
  BOOST_TEST(has(terminal_report(report, {}), "FAIL ping-prompt  [2025-11-25]"));
}

BOOST_AUTO_TEST_CASE(junit_counts_failures_and_skips) {
  const Target target = nasty_target();
  const std::string text = junit_report(nasty_report(target));
  BOOST_TEST(has(text, "<testsuite name=\"2025-11-25\" tests=\"5\" failures=\"1\" errors=\"0\" skipped=\"1\">"));
  BOOST_TEST(has(text, "<failure type=\"MUST\" message=\"message of ping-empty-result\">"));
}

BOOST_AUTO_TEST_CASE(the_page_needs_nothing_from_elsewhere) {
  const Target target = nasty_target();
  const std::string text = html_report(nasty_report(target));
  for (const char* part : {"<link", "<img", "src=", "@import", "url("}) BOOST_TEST(!has(text, part), part);
  BOOST_TEST(has(text, "2 ms &lt;- a&lt;b&gt;&amp;"));
}

BOOST_AUTO_TEST_CASE(the_page_leads_to_each_failure_and_counts_by_groups) {
  const Target target = nasty_target();
  const std::string text = html_report(nasty_report(target));
  for (const char* part : {"<a href=\"#failure-1\"><span class=\"FAIL\">FAIL</span> ping-empty-result",
                           "<article class=\"fail\" id=\"failure-1\">", "<a href=\"#failure-2\">",
                           "<article class=\"warn\" id=\"failure-2\">"})
    BOOST_TEST(has(text, part), part);
  BOOST_TEST(has(text,
                 "<tr><td>ping</td><td class=\"FAIL\">1</td><td class=\"WARN\">1</td><td class=\"SKIP\">1</td>"
                 "<td class=\"SKIP\">0</td><td class=\"SKIP\">0</td></tr>"));
  BOOST_TEST(!has(text, "<th>known</th>"));
  BOOST_TEST(text.find("<h2>Failures</h2>") < text.find("<h2>Groups</h2>"));
  BOOST_TEST(!has(text, "<td>tools</td>"));
}

/// Each box hides the rows of its verdict.
BOOST_AUTO_TEST_CASE(the_page_can_be_filtered_by_verdict) {
  const Target target = nasty_target();
  const std::string text = html_report(nasty_report(target));
  for (const std::string verdict : {"PASS", "INFO", "SKIP", "WARN", "FAIL"}) {
    BOOST_TEST(has(text, "id=\"show-" + verdict + "\" checked"), verdict);
    BOOST_TEST(has(text, "body:has(#show-" + verdict + ":not(:checked)) tr.row-" + verdict + "{display:none}"),
               verdict);
    BOOST_TEST(has(text, "<tr class=\"row-" + verdict + "\">"), verdict);
  }
}

BOOST_AUTO_TEST_CASE(the_badge_says_what_was_skipped) {
  const Target target = nasty_target();
  Report report{.target = target};
  report.findings = {finding("ping-prompt", Verdict::pass), finding("ping-server-issued", Verdict::skip)};
  BOOST_TEST(has(badge(report, "badge.md"), "1%20passed%2C%201%20skipped-brightgreen"));
  report.findings.push_back(finding("ping-string-id", Verdict::warn));
  BOOST_TEST(has(badge(report, "badge.svg"), "1 passed, 1 skipped, 1 to mend"));
}

BOOST_AUTO_TEST_CASE(the_badge_shows_the_worst) {
  const Target target = nasty_target();
  Report report = nasty_report(target);
  BOOST_TEST(has(badge(report, "badge.md"), "1%20failed-red"));
  report.mended.clear();
  report.findings = {finding("ping-prompt", Verdict::pass), finding("ping-string-id", Verdict::warn)};
  BOOST_TEST(has(badge(report, "badge.md"), "1%20passed%2C%201%20to%20mend-yellow"));
  report.findings.pop_back();
  BOOST_TEST(has(badge(report, "badge.md"), "1%20passed-brightgreen"));
  BOOST_TEST(badge(report, "badge.svg").starts_with("<svg"));
}

BOOST_AUTO_TEST_CASE(a_run_in_which_nothing_passed_is_no_pass) {
  const Target target = nasty_target();
  Report report{.target = target, .findings = {finding("ping-prompt", Verdict::skip)}};
  BOOST_TEST((outcome(report) == Verdict::skip && has_failed(report)));
  BOOST_TEST(has(terminal_report(report, {}), "SKIP: 0 passed, 1 skipped in 0.0 s; nothing could be judged"));
  BOOST_TEST(has(html_report(report), "<title>SKIP"));
  BOOST_TEST(has(badge(report, "badge.md"), "nothing%20judged-lightgrey"));
  report.findings.push_back(finding("ping-server-issued", Verdict::info));
  BOOST_TEST((outcome(report) == Verdict::info && !has_failed(report)));
  report.findings.push_back(finding("ping-string-id", Verdict::warn));
  BOOST_TEST((outcome(report) == Verdict::warn && !has_failed(report)));
  report.findings.push_back(finding("ping-empty-result", Verdict::pass));
  BOOST_TEST((outcome(report) == Verdict::pass && !has_failed(report)));
}

/// The exit status says that the run has failed; a report without a failure in it would not say of what.
BOOST_AUTO_TEST_CASE(every_report_says_what_the_run_fails_of_beside_its_findings) {
  const Target target = nasty_target();
  Report report{.target = target, .findings = {finding("ping-empty-result", Verdict::pass)}};
  BOOST_TEST(!has(junit_report(report), "<failure"));
  report.mended = {{.check = "ping-prompt", .revision = "2025-11-25"}};
  BOOST_TEST(has_failed(report));
  for (const std::string& text : {terminal_report(report, {}), html_report(report), junit_report(report),
                                  github_annotations(report), github_summary(report)})
    BOOST_TEST(has(text, "2025-11-25 ping-prompt is in the baseline and was not found any more"));
  BOOST_TEST(has(junit_report(report), "<testsuite name=\"run\" tests=\"1\" failures=\"1\""));
  report.mended.clear();
  report.findings = {finding("ping-prompt", Verdict::skip)};
  for (const std::string& text : {terminal_report(report, {}), html_report(report), junit_report(report),
                                  github_annotations(report), github_summary(report)})
    BOOST_TEST(has(text, "nothing could be judged"));
}

BOOST_AUTO_TEST_CASE(every_report_of_a_strict_run_calls_a_warning_a_failure) {
  const Target target = nasty_target();
  const Report report{
      .target = target,
      .strict = true,
      .findings = {finding("ping-empty-result", Verdict::pass), finding("ping-string-id", Verdict::warn)}};
  BOOST_TEST(has_failed(report));
  BOOST_TEST(has(terminal_report(report, {}), "FAIL: 1 passed, 1 warning"));
  BOOST_TEST(has(html_report(report), "<title>FAIL"));
  BOOST_TEST(has(junit_report(report), "failures=\"1\""));
  BOOST_TEST(has(junit_report(report), "<failure type=\"MUST\" message=\"message of ping-string-id\">"));
  BOOST_TEST(has(badge(report, "badge.md"), "1%20failed-red"));
  BOOST_TEST(json_report(report).at("summary").at("verdict") == "FAIL");
}

BOOST_AUTO_TEST_CASE(what_was_seen_in_the_traffic_of_another_check_is_repeated_with_it) {
  const Target target = nasty_target();
  Report report{.target = target, .findings = {finding("stdio-stdout-only-mcp", Verdict::fail)}};
  report.findings[0].traffic = "ping";
  BOOST_TEST(has(terminal_report(report, {}), "--only stdio-stdout-only-mcp,ping --revision 2025-11-25"));
}

BOOST_AUTO_TEST_CASE(the_reason_of_a_known_failure_is_shown) {
  const Target target = nasty_target();
  Report report{.target = target, .findings = {finding("ping-empty-result", Verdict::fail)}};
  report.findings[0].known = true;
  report.findings[0].known_because = "mended in 2.1";
  for (const std::string& text : {terminal_report(report, {}), html_report(report), junit_report(report)})
    BOOST_TEST(has(text, "mended in 2.1"));
  BOOST_TEST(violations(toolwire::parse_json(toolwire::to_json_text(json_report(report)))) == "");
}

BOOST_AUTO_TEST_CASE(failures_come_before_warnings_and_the_newest_revision_first) {
  const Target target = nasty_target();
  const Report report{.target = target,
                      .findings = {finding("ping-string-id", Verdict::warn, "2024-11-05"),
                                   finding("ping-empty-result", Verdict::fail, "2024-11-05"),
                                   finding("ping-prompt", Verdict::fail, "2025-11-25")}};
  const std::string text = terminal_report(report, {});
  const std::size_t newest = text.find("FAIL ping-prompt");
  const std::size_t oldest = text.find("FAIL ping-empty-result");
  BOOST_TEST_REQUIRE((newest != text.npos && oldest != text.npos));
  BOOST_TEST(newest < oldest);
  BOOST_TEST(oldest < text.find("WARN ping-string-id"));
  const std::string page = html_report(report);
  BOOST_TEST(page.find("</span> ping-prompt") < page.find("</span> ping-empty-result"));
  const std::string rows = page.substr(page.find("<h2>All checks</h2>"));
  BOOST_TEST(rows.find("<td>ping-prompt</td>") < rows.find("<td>ping-empty-result</td>"));
  BOOST_TEST(rows.find("<td>ping-empty-result</td>") < rows.find("<td>ping-string-id</td>"));
}
