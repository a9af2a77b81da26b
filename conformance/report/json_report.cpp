#include "report/json_report.hpp"

#include <toolwire/text.hpp>

#include "driver/http_server.hpp"
#include "driver/message.hpp"
#include "driver/revision.hpp"
#include "report/reproduction.hpp"
#include "report/safe_text.hpp"

namespace toolwire::conformance {
namespace {

constexpr std::size_t kept_text = std::size_t{64} << 10;

Json safe(std::string_view text) { return Json(text::valid(shortened(text, kept_text))); }

JsonObject server_of(const Report& report) {
  JsonArray command;
  for (const std::string& word : report.target.launch.command) command.push_back(safe(word));
  JsonObject server{{"command", std::move(command)}};
  if (report.target.launch.http) server["url"] = safe(report.target.launch.http->text());
  const Json& info = server_info(report.target);
  for (const std::string_view member : {"name", "title", "version"}) {
    if (const std::string_view text = text_of(get(info, member)); !text.empty()) server[member] = safe(text);
  }
  return server;
}

JsonArray revisions_of(const Report& report) {
  JsonArray all;
  for (const auto& [name, offer] : report.target.offers) {
    JsonObject revision{{"revision", name}, {"served", offer.served}};
    if (!offer.served) revision["problem"] = safe(offer.problem);
    JsonObject found;
    for (const auto& [kind, fixture] : offer.found) found[kind] = safe(fixture.shown_name());
    if (!found.empty()) revision["found"] = std::move(found);
    all.push_back(std::move(revision));
  }
  return all;
}

JsonObject summary_of(const Report& report) {
  const Counts counts = counts_of(report.findings);
  JsonObject summary{{"verdict", text_of(outcome(report))},
                     {"strict", report.strict},
                     {"pass", counts.of(Verdict::pass)},
                     {"info", counts.of(Verdict::info)},
                     {"skip", counts.of(Verdict::skip)},
                     {"warn", counts.of(Verdict::warn)},
                     {"fail", counts.of(Verdict::fail)},
                     {"known", counts.known},
                     {"checks", counts.all()},
                     {"duration_ms", report.time.count()}};
  if (!report.partial.empty()) summary["partial"] = report.partial;
  return summary;
}

void add_failure(const Report& report, const Finding& finding, JsonObject& check) {
  const Requirement& requirement = *finding.requirement;
  check["expected"] = safe(finding.expected);
  check["got"] = safe(finding.got);
  check["why"] = requirement.why;
  check["fix"] = requirement.fix;
  check["repeat"] = safe(repeat_command(report, finding));
  check["transcript"] = safe(finding.transcript);
  if (const std::string by_hand = pipeline(report, finding); !by_hand.empty()) check["pipeline"] = safe(by_hand);
}

JsonArray causes_of(const Report& report) {
  JsonArray all;
  for (const Cause& it : report.causes) {
    JsonObject cause{{"id", safe(it.id)}, {"says", safe(it.says)}, {"loses", it.loses}, {"fix", it.fix}};
    if (!it.owner.empty()) cause["owner"] = safe(it.owner);
    if (!it.report.empty()) cause["known_at"] = it.report;
    JsonArray checks;
    for (const std::string& check : it.checks) checks.push_back(Json(check));
    cause["checks"] = std::move(checks);
    all.push_back(std::move(cause));
  }
  return all;
}

Json json_of(const Package& package) {
  return JsonObject{{"registry", package.registry}, {"name", safe(package.name)}, {"version", safe(package.version)}};
}

JsonObject origin_of(const Report& report) {
  JsonObject origin;
  if (report.origin.server) origin["package"] = json_of(*report.origin.server);
  JsonArray sdks;
  for (const Package& sdk : report.origin.sdks) sdks.push_back(json_of(sdk));
  origin["sdks"] = std::move(sdks);
  return origin;
}

JsonObject check_of(const Report& report, const Finding& finding) {
  const Requirement& requirement = *finding.requirement;
  JsonObject check{{"id", requirement.id},
                   {"group", requirement.group},
                   {"revision", finding.revision->name},
                   {"level", requirement.level_text},
                   {"verdict", text_of(finding.verdict)},
                   {"message", safe(finding.message.empty() ? requirement.requirement : finding.message)},
                   {"section", requirement.section},
                   {"duration_ms", finding.time.count()}};
  if (!finding.cause.empty()) check["cause"] = safe(finding.cause);
  if (finding.was != Verdict::pass) check["was"] = text_of(finding.was);
  if (finding.verdict < Verdict::warn) return check;
  check["known"] = finding.known;
  if (!finding.known_because.empty()) check["known_because"] = safe(finding.known_because);
  add_failure(report, finding, check);
  return check;
}

JsonArray entries(const std::vector<KnownFailure>& list) {
  JsonArray all;
  for (const KnownFailure& it : list)
    all.push_back(JsonObject{{"id", safe(it.check)}, {"revision", safe(it.revision)}});
  return all;
}

}  // namespace

Json json_report(const Report& report) {
  JsonArray checks;
  for (const Finding& finding : report.findings) checks.push_back(check_of(report, finding));
  return JsonObject{{"format", 1},
                    {"judged", report.of_host ? "host" : "server"},
                    {"program", JsonObject{{"name", "toolwire-conformance"}, {"version", program_version()}}},
                    {"server", server_of(report)},
                    {"revisions", revisions_of(report)},
                    {"summary", summary_of(report)},
                    {"origin", origin_of(report)},
                    {"checks", std::move(checks)},
                    {"causes", causes_of(report)},
                    {"mended", entries(report.mended)},
                    {"expired", entries(report.expired)}};
}

}  // namespace toolwire::conformance
