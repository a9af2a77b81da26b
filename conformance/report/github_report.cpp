#include "report/github_report.hpp"

#include <fmt/format.h>

#include <map>
#include <vector>

#include <toolwire/text.hpp>

#include "driver/message.hpp"
#include "driver/revision.hpp"
#include "report/place.hpp"
#include "report/safe_text.hpp"

namespace toolwire::conformance {
namespace {

constexpr std::size_t kept_text = 2000;
constexpr std::size_t kept_summary = std::size_t{900} << 10;  // GitHub takes 1 MiB a step

/// In a command a percent sign, line ends and, in properties, separators are escaped.
std::string escaped(std::string_view text, bool is_property) {
  std::string out;
  for (const char c : text::visible(shortened(text, kept_text), text::lines)) {
    if (c == '%' || c == '\r' || c == '\n' || (is_property && (c == ':' || c == ',')))
      out += fmt::format("%{:02X}", static_cast<unsigned char>(c));
    else
      out += c;
  }
  return out;
}

std::string reason(const Report& report, const Finding& it) {
  const Cause* cause = cause_of(report.causes, it);
  if (cause == nullptr) return "\nfix: " + it.requirement->fix;
  return "\ncause: " + cause->says + "\nfix: " + cause->fix +
         (cause->owner.empty() ? "" : "\nowner: " + cause->owner + " " + cause->report);
}

std::string annotation(const Report& report, const std::string& place, const FindingGroup& group) {
  const Finding& it = *group.front();
  const bool is_error = it.verdict == Verdict::fail || report.strict;
  const std::string title = fmt::format("{} {} ({})", text_of(it.verdict), it.requirement->id, revisions_text(group));
  const std::string text = it.requirement->requirement + "\nexpected: " + it.expected + "\ngot: " + it.got +
                           reason(report, it) + "\nrepeat: " + repeat_command(report, it);
  return fmt::format("::{} {}title={}::{}\n", is_error ? "error" : "warning",
                     place == "." ? "" : "file=" + escaped(place, true) + ",line=1,", escaped(title, true),
                     escaped(text, false));
}

std::string markup(std::string_view text) { return text::markup(shortened(text, kept_text)); }

/// Within <pre> nothing is Markdown, up to its end.
std::string failure(const Report& report, const FindingGroup& group) {
  const Finding& it = *group.front();
  return fmt::format(
      "<details><summary><b>{}</b> {} <i>{}</i></summary>\n<pre>{}\n\nexpected: {}\ngot: {}{}\nrepeat: {}\n</pre>\n"
      "</details>\n",
      text_of(it.verdict), markup(it.requirement->id), revisions_text(group), markup(it.requirement->requirement),
      markup(it.expected), markup(it.got), markup(reason(report, it)), markup(repeat_command(report, it)));
}

std::string counts(const Report& report) {
  std::map<std::string_view, Counts> sums;
  std::vector<std::string_view> order;
  for (const Finding& finding : report.findings) {
    auto [entry, is_new] = sums.try_emplace(finding.requirement->group);
    if (is_new) order.push_back(entry->first);
    entry->second.add(finding);
  }
  std::string text = "| group | passed | failed | warnings | known | skipped |\n|---|---|---|---|---|---|\n";
  for (const std::string_view group : order) {
    const Counts& sum = sums[group];
    text += fmt::format("| {} | {} | {} | {} | {} | {} |\n", group, sum.of(Verdict::pass), sum.of(Verdict::fail),
                        sum.of(Verdict::warn), sum.known, sum.of(Verdict::skip));
  }
  return text;
}

}  // namespace

std::string github_annotations(const Report& report) {
  const std::string place = place_of(report.target);
  std::string text;
  const auto add = [&](Verdict verdict) {
    for (const FindingGroup& group : alike(report.findings, verdict, false)) text += annotation(report, place, group);
  };
  add(Verdict::fail);
  for (const std::string& it : failures_of_the_run(report)) text += "::error title=FAIL::" + escaped(it, false) + "\n";
  add(Verdict::warn);
  return text;
}

std::string github_summary(const Report& report) {
  std::string text = fmt::format("## MCP conformance: {}\n\n{} in {:.1f} s{}\n\n", text_of(outcome(report)),
                                 text_of(counts_of(report.findings)), static_cast<double>(report.time.count()) / 1000,
                                 report.partial.empty() ? "" : "; the run ended early: " + report.partial);
  for (const std::string& it : failures_of_the_run(report)) text += markup(it) + "\n\n";
  for (const Verdict verdict : {Verdict::fail, Verdict::warn}) {
    for (const FindingGroup& group : alike(report.findings, verdict, false)) {
      const std::string more = failure(report, group);
      if (text.size() + more.size() < kept_summary) text += more;
    }
  }
  return text + "\n" + counts(report);
}

}  // namespace toolwire::conformance
