#include "report/html_report.hpp"

#include <fmt/format.h>

#include <toolwire/text.hpp>

#include <algorithm>
#include <utility>
#include <vector>

#include "driver/http_server.hpp"
#include "driver/message.hpp"
#include "driver/revision.hpp"
#include "report/reproduction.hpp"
#include "report/safe_text.hpp"

namespace toolwire::conformance {
namespace {

constexpr std::size_t kept_transcript = std::size_t{64} << 10;
constexpr std::size_t kept_text = 4000;

constexpr const char* style = R"(
html{color-scheme:light dark}a{color:#0b57d0}
body{font:15px/1.5 system-ui,sans-serif;margin:2rem auto;max-width:62rem;padding:0 1rem;color:#1c1e21;background:#fff}
code,pre{font:13px/1.45 ui-monospace,monospace}pre{background:#f4f5f7;padding:.7rem;overflow:auto;white-space:pre-wrap;
overflow-wrap:anywhere;border-radius:4px}table{border-collapse:collapse;width:100%}td,th{text-align:left;
vertical-align:top;padding:.2rem .7rem .2rem 0;border-bottom:1px solid #e3e5e8;overflow-wrap:anywhere}
.FAIL{color:#b3261e;font-weight:600}.WARN{color:#8a5a00;font-weight:600}.PASS{color:#1a7f37}.SKIP,.INFO{color:#666}
article{border-left:4px solid #b3261e;padding:.1rem 1rem;margin:1.2rem 0}article.warn{border-color:#d09a2a}
dt{font-weight:600;float:left;clear:left;width:6rem}dd{margin-left:6.5rem;overflow-wrap:anywhere}
@media(prefers-color-scheme:dark){a{color:#8ab4f8}body{background:#16181b;color:#e4e6e8}pre{background:#22252a}td,th{border-color:#33373d}
.FAIL{color:#ff8a80}.WARN{color:#f2c14e}.PASS{color:#6fd08c}.SKIP,.INFO{color:#9aa0a6}}
table.counts{width:auto}.counts td,.counts th{overflow-wrap:normal}.counts td+td,.counts th+th{text-align:right;
padding-left:1.2rem}label{margin-right:1rem;white-space:nowrap}.wide{overflow-x:auto}small span{white-space:nowrap}
.checks td:nth-child(-n+2),.checks th{white-space:nowrap;overflow-wrap:normal}.checks td:nth-child(3){width:30%}
@media(max-width:40rem){.counts td+td,.counts th+th{padding:.2rem .3rem}.counts{font-size:13px}article{padding:.1rem .7rem}
article dt{float:none}article dd{margin:0 0 .4rem}.checks th{display:none}.checks tr{display:flow-root;padding:.3rem 0;border-bottom:1px solid #8885}
.checks td,.checks td:nth-child(3){border:0;padding:0 .7rem 0 0;float:left;width:auto}.checks td:last-child{clear:left}}
)";

// The worst first.
constexpr Verdict verdicts[] = {Verdict::fail, Verdict::warn, Verdict::skip, Verdict::info, Verdict::pass};

std::string markup(std::string_view text) { return text::markup(shortened(text, kept_text)); }

std::string field(std::string_view name, std::string_view value) {
  return value.empty() ? "" : fmt::format("<dt>{}</dt><dd>{}</dd>\n", name, markup(value));
}

std::string code_field(std::string_view name, std::string_view value) {
  return fmt::format("<dt>{}</dt><dd><code>{}</code></dd>\n", name, markup(value));
}

std::string transcript(const Finding& it) {
  if (it.transcript.empty()) return "";
  return fmt::format(
      "<details><summary>What was sent (-&gt;) and what came back (&lt;-)</summary><pre>{}</pre></details>\n",
      text::markup(shortened(it.transcript, kept_transcript)));
}

std::string explanation(const Report& report, const Finding& it) {
  const Cause* cause = cause_of(report.causes, it);
  if (cause == nullptr) return field("Why", it.requirement->why) + field("Fix", it.requirement->fix);
  return field("Cause", cause->says) + field("Loses", cause->loses) + field("Fix", cause->fix) +
         field("Owner", cause->owner) + field("Known at", cause->report) + field("As well", also_failed(*cause, it));
}

std::string by_hand(const Report& report, const Finding& it) {
  const std::string text = pipeline(report, it);
  return text.empty() || text.size() > kept_text ? "" : code_field("By hand", text);
}

/// Dates do not break at their hyphens.
std::string revisions_of(const FindingGroup& group) {
  std::string text;
  for (const Finding* it : group)
    text += fmt::format("{}<span>{}</span>", text.empty() ? "" : ", ", it->revision->name);
  return text;
}

std::string heading(const FindingGroup& group) {
  const std::string_view verdict = text_of(group.front()->verdict);
  return fmt::format("<span class=\"{}\">{}</span> {} <small>{}</small>", verdict, verdict,
                     markup(group.front()->requirement->id), revisions_of(group));
}

std::string failure(const Report& report, const FindingGroup& group, std::size_t number) {
  const Finding& it = *group.front();
  const Requirement& requirement = *it.requirement;
  return fmt::format("<article class=\"{}\" id=\"failure-{}\"><h3>{}</h3>\n<dl>\n{}{}{}{}{}{}{}{}</dl>\n{}</article>\n",
                     it.verdict == Verdict::warn ? "warn" : "fail", number, heading(group),
                     field(requirement.level_text, requirement.requirement), field("Section", requirement.section),
                     field("Expected", it.expected), field("Got", it.got), explanation(report, it),
                     code_field("Repeat", repeat_command(report, it)), by_hand(report, it),
                     it.known_because.empty() ? "" : field("Known", it.known_because), transcript(it));
}

/// The index, and what it leads to, both new failures first, then those the baseline knows.
struct Failures {
  std::string index, details;
};

Failures failures(const Report& report) {
  std::string index, text;
  std::size_t number = 0;
  for (const bool known : {false, true}) {
    const std::string_view title = known ? "Known failures" : "Failures";
    std::string entries, articles;
    for (const Verdict verdict : {Verdict::fail, Verdict::warn}) {
      for (const FindingGroup& group : alike(report.findings, verdict, known)) {
        entries += fmt::format("<li><a href=\"#failure-{}\">{}</a></li>\n", ++number, heading(group));
        articles += failure(report, group, number);
      }
    }
    if (entries.empty()) continue;
    index += fmt::format("<h2>{}</h2>\n<ul>\n{}</ul>\n", title, entries);
    text += fmt::format("<h2>{} in detail</h2>\n{}", title, articles);
  }
  return {std::move(index), std::move(text)};
}

/// In the order of the catalogue.
std::vector<std::pair<std::string_view, Counts>> counts_of_groups(const Report& report) {
  std::vector<std::pair<std::string_view, Counts>> groups;
  for (const Requirement& requirement : requirements()) {
    if (groups.empty() || groups.back().first != requirement.group) groups.emplace_back(requirement.group, Counts{});
  }
  for (const Finding& it : report.findings) {
    for (auto& [name, counts] : groups) {
      if (name == it.requirement->group) counts.add(it);
    }
  }
  std::erase_if(groups, [](const auto& group) { return group.second.all() == 0; });
  return groups;
}

std::string group_table(const Report& report) {
  const auto groups = counts_of_groups(report);
  const bool some_known = std::ranges::any_of(groups, [](const auto& it) { return it.second.known > 0; });
  std::string text = "<h2>Groups</h2>\n<div class=\"wide\"><table class=\"counts\"><tr><th>Group</th>";
  for (const Verdict verdict : verdicts) text += fmt::format("<th>{}</th>", text_of(verdict));
  text += some_known ? "<th>known</th></tr>\n" : "</tr>\n";
  for (const auto& [name, counts] : groups) {
    text += fmt::format("<tr><td>{}</td>", markup(name));
    for (const Verdict verdict : verdicts)
      text += fmt::format("<td class=\"{}\">{}</td>", counts.of(verdict) > 0 ? text_of(verdict) : "SKIP",
                          counts.of(verdict));
    text += some_known ? fmt::format("<td>{}</td></tr>\n", counts.known) : "</tr>\n";
  }
  return text + "</table></div>\n";
}

/// Boxes that hide the rows of a verdict, without a script: texts of servers stand in this page.
std::string filter() {
  std::string boxes, rules;
  for (const Verdict verdict : verdicts) {
    boxes += fmt::format("<label><input type=\"checkbox\" id=\"show-{0}\" checked> {0}</label>\n", text_of(verdict));
    rules += fmt::format("body:has(#show-{0}:not(:checked)) tr.row-{0}{{display:none}}\n", text_of(verdict));
  }
  return "<style>\n" + rules + "</style>\n<p>" + boxes + "</p>\n";
}

/// The worst first, and of those the newest revision.
std::vector<const Finding*> in_order(const std::vector<Finding>& findings) {
  std::vector<const Finding*> all;
  all.reserve(findings.size());
  for (const Finding& it : findings) all.push_back(&it);
  std::ranges::stable_sort(all, [](const Finding* a, const Finding* b) {
    const auto rank = [](const Finding* it) { return std::ranges::find(verdicts, it->verdict) - std::begin(verdicts); };
    return std::pair(rank(a), b->revision->name) < std::pair(rank(b), a->revision->name);
  });
  return all;
}

std::string table(const Report& report) {
  std::string rows;
  for (const Finding* it : in_order(report.findings)) {
    const std::string& message = it->message.empty() ? it->requirement->requirement : it->message;
    rows += fmt::format("<tr class=\"row-{0}\"><td class=\"{0}\">{0}</td><td>{1}</td><td>{2}</td><td>{3}</td></tr>\n",
                        text_of(it->verdict), it->revision->name, markup(it->requirement->id), markup(message));
  }
  return "<h2>All checks</h2>\n<details><summary>" + std::to_string(report.findings.size()) + " findings</summary>\n" +
         filter() + "<table class=\"checks\">\n<tr><th>Verdict</th><th>Revision</th><th>Check</th><th></th></tr>\n" +
         rows + "</table></details>\n";
}

std::string server(const Report& report) {
  std::string command;
  for (const std::string& word : report.target.launch.command)
    command += (command.empty() ? "" : " ") + shell_word(word);
  const Json& info = server_info(report.target);
  std::string text = "<dl>\n";
  if (report.target.launch.http) text += code_field("URL", report.target.launch.http->text());
  text += code_field("Command", command);
  if (!info.is_null())
    text += field("Server", std::string(text_of(get(info, "name"))) + " " + std::string(text_of(get(info, "version"))));
  text += field("Package", text_of(report.origin));
  for (const auto& [name, offer] : report.target.offers)
    text += field(name, offer.served ? "served" : "not served: " + offer.problem);
  return text + "</dl>\n";
}

}  // namespace

std::string html_report(const Report& report) {
  std::string remarks;
  if (!report.partial.empty())
    remarks = "<p class=\"WARN\">The run ended before it was through: " + markup(report.partial) + ".</p>\n";
  for (const std::string& it : failures_of_the_run(report)) remarks += "<p class=\"FAIL\">" + markup(it) + "</p>\n";
  const std::string_view verdict = text_of(outcome(report));
  const Failures failed = failures(report);
  return fmt::format(
      "<!DOCTYPE html>\n<html lang=\"en\"><head><meta charset=\"utf-8\"><meta name=\"viewport\" "
      "content=\"width=device-width\">\n<title>{} - MCP conformance</title><style>{}</style></head>\n<body>\n"
      "<h1><span class=\"{}\">{}</span> MCP conformance</h1>\n<p>{} in {:.1f} s, by toolwire-conformance {}</p>\n"
      "{}{}{}{}{}{}</body></html>\n",
      verdict, style, verdict, verdict, text_of(counts_of(report.findings)),
      static_cast<double>(report.time.count()) / 1000, program_version(), remarks, server(report), failed.index,
      group_table(report), failed.details, table(report));
}

}  // namespace toolwire::conformance
