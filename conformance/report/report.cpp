#include "report/report.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <functional>
#include <numeric>

#include <toolwire/text.hpp>

#include "driver/message.hpp"
#include "driver/revision.hpp"
#include "report/safe_text.hpp"

namespace toolwire::conformance {
namespace {

const Json nothing = nullptr;

bool say_the_same(const Finding& a, const Finding& b) {
  return a.requirement == b.requirement && a.verdict == b.verdict && a.known == b.known && a.message == b.message &&
         ((a.expected == b.expected && a.got == b.got) || (!a.cause.empty() && a.cause == b.cause));
}

void append(std::string& text, std::size_t count, std::string_view one, std::string_view many) {
  if (count > 0) text += fmt::format(", {} {}", count, count == 1 ? one : many);
}

}  // namespace

std::size_t Counts::all() const { return std::accumulate(by_verdict.begin(), by_verdict.end(), known); }

void Counts::add(const Finding& finding) {
  if (finding.known)
    ++known;
  else
    ++by_verdict[static_cast<std::size_t>(finding.verdict)];
}

Counts counts_of(const std::vector<Finding>& findings) {
  Counts counts;
  for (const Finding& finding : findings) counts.add(finding);
  return counts;
}

std::string text_of(const Counts& counts) {
  std::string text = fmt::format("{} passed", counts.of(Verdict::pass));
  append(text, counts.of(Verdict::fail), "failed", "failed");
  append(text, counts.of(Verdict::warn), "warning", "warnings");
  append(text, counts.known, "known failure", "known failures");
  append(text, counts.of(Verdict::skip), "skipped", "skipped");
  append(text, counts.of(Verdict::info), "note", "notes");
  return text;
}

const Json& server_info(const Target& target) {
  static constexpr std::string_view key = "io.modelcontextprotocol/serverInfo";
  for (const auto& [name, offer] : target.offers) {
    if (const Json& info = get(offer.opening, "serverInfo"); info.is_object()) return info;
    if (const Json& info = get(offer.opening, "_meta", key); info.is_object()) return info;
  }
  return nothing;
}

std::string repeat_command(const Report& report, const Finding& finding) {
  std::string command = report.of_host ? "toolwire-conformance client --only " : "toolwire-conformance --only ";
  command += finding.requirement->id;
  if (!finding.traffic.empty()) command += "," + finding.traffic;
  command += fmt::format(" --revision {}", finding.revision->name);
  for (const std::string& word : report.repeat_options) command += " " + word;
  if (!report.target.launch.command.empty()) command += " --";
  for (const std::string& word : report.target.launch.command) command += " " + shell_word(word);
  return command;
}

Verdict outcome(const Report& report) {
  const Counts counts = counts_of(report.findings);
  if (counts.of(Verdict::fail) > 0 || (report.strict && counts.of(Verdict::warn) > 0) || !report.mended.empty())
    return Verdict::fail;
  if (counts.of(Verdict::pass) > 0) return Verdict::pass;
  if (counts.of(Verdict::warn) + counts.known > 0) return Verdict::warn;
  return counts.of(Verdict::info) > 0 ? Verdict::info : Verdict::skip;
}

bool has_failed(const Report& report) {
  const Verdict verdict = outcome(report);
  return verdict == Verdict::fail || verdict == Verdict::skip;
}

std::string out_of_date(const KnownFailure& entry) {
  return fmt::format("{} {} is in the baseline and was not found any more: take it out", entry.revision,
                     text::visible(entry.check));
}

std::vector<std::string> failures_of_the_run(const Report& report) {
  std::vector<std::string> all;
  for (const KnownFailure& entry : report.mended) all.push_back(out_of_date(entry));
  if (outcome(report) == Verdict::skip) all.emplace_back("nothing could be judged");
  return all;
}

std::vector<FindingGroup> alike(const std::vector<Finding>& findings, Verdict verdict, bool known) {
  FindingGroup wanted;
  for (const Finding& finding : findings) {
    if (finding.verdict == verdict && finding.known == known) wanted.push_back(&finding);
  }
  std::ranges::stable_sort(wanted, std::greater<>{}, [](const Finding* it) { return it->revision->name; });
  std::vector<FindingGroup> groups;
  for (const Finding* finding : wanted) {
    const auto same =
        std::ranges::find_if(groups, [&](const FindingGroup& group) { return say_the_same(*group.front(), *finding); });
    if (same != groups.end())
      same->push_back(finding);
    else
      groups.push_back({finding});
  }
  return groups;
}

std::string revisions_text(const FindingGroup& group) {
  std::string text;
  for (const Finding* finding : group) text += (text.empty() ? "" : ", ") + std::string(finding->revision->name);
  return text;
}

std::string text_of(const Origin& origin) {
  std::string text = origin.server ? origin.server->text() : "";
  for (std::size_t i = 0; i < origin.sdks.size(); ++i)
    text += (i > 0 ? ", " : text.empty() ? "built on " : ", built on ") + origin.sdks[i].text();
  return text;
}

std::string also_failed(const Cause& cause, const Finding& finding) {
  std::string text;
  for (const std::string& check : cause.checks) {
    if (check != finding.requirement->id) text += (text.empty() ? "" : ", ") + check;
  }
  return text;
}

std::string_view program_version() { return TOOLWIRE_VERSION; }

}  // namespace toolwire::conformance
