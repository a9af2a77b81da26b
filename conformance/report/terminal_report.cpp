#include "report/terminal_report.hpp"

#include <fmt/format.h>

#include <map>

#include <toolwire/text.hpp>

#include "driver/http_server.hpp"
#include "driver/message.hpp"
#include "driver/revision.hpp"
#include "report/reproduction.hpp"
#include "report/safe_text.hpp"

namespace toolwire::conformance {
namespace {

constexpr std::size_t shown_lines = 16;  // of a transcript
constexpr std::size_t shown_width = 300;
constexpr std::size_t shown_value = 1500;

std::string_view colour_of(Verdict verdict) {
  switch (verdict) {
    case Verdict::fail:
      return "\x1b[1;31m";
    case Verdict::warn:
      return "\x1b[1;33m";
    case Verdict::pass:
      return "\x1b[32m";
    default:
      return "\x1b[2m";
  }
}

class Writer {
 public:
  Writer(const Report& report, const TerminalStyle& style) : report_(report), style_(style) {}

  std::string text() {
    heading();
    groups();
    if (style_.verbose) every_finding();
    for (const Verdict verdict : {Verdict::fail, Verdict::warn}) failures(verdict);
    notes();
    known();
    ending();
    return std::move(out_);
  }

 private:
  std::string coloured(Verdict verdict, std::string_view text) const {
    return style_.colour ? fmt::format("{}{}\x1b[0m", colour_of(verdict), text) : std::string(text);
  }

  void heading() {
    out_ += report_.of_host ? "host:" : "server:";
    if (const auto& http = report_.target.launch.http)
      out_ += " " + text::visible(shortened(http->text(), shown_width));
    for (const std::string& word : report_.target.launch.command)
      out_ += " " + text::visible(shortened(shell_word(word), shown_width));
    if (const Json& info = server_info(report_.target); !info.is_null())
      out_ += fmt::format(" ({} {})", text::visible(shortened(text_of(get(info, "name")), 100)),
                          text::visible(shortened(text_of(get(info, "version")), 100)));
    if (const std::string origin = text_of(report_.origin); !origin.empty())
      out_ += "\npackage: " + text::visible(shortened(origin, shown_width));
    out_ += report_.of_host ? "\nspeaks:" : "\nserves:";
    for (const auto& [name, offer] : report_.target.offers) out_ += offer.served ? " " + std::string(name) : "";
    if (!report_.target.serves_any()) out_ += " no revision of the protocol";
    out_ += "\n";
    if (!report_.target.serves_any()) return;
    for (const auto& [name, offer] : report_.target.offers) {
      if (offer.served && style_.verbose) found(name, offer);
      if (!offer.served) out_ += fmt::format("not {}: {}", name, excerpt(shortened(offer.problem, 300), 2, 300));
    }
  }

  /// What nobody named, and was found by looking.
  void found(std::string_view revision, const Offer& offer) {
    if (offer.found.empty()) return;
    out_ += fmt::format("found {}:", revision);
    std::string_view between = " ";
    for (const auto& [kind, fixture] : offer.found) {
      out_ += fmt::format("{}{} is {}", between, kind, text::visible(shortened(fixture.shown_name(), shown_width)));
      between = ", ";
    }
    out_ += "\n";
  }

  void groups() {
    std::map<std::string_view, Counts> counts;
    std::vector<std::string_view> order;
    for (const Finding& finding : report_.findings) {
      auto [entry, is_new] = counts.try_emplace(finding.requirement->group);
      if (is_new) order.push_back(entry->first);
      entry->second.add(finding);
    }
    out_ += "\n";
    for (const std::string_view group : order) {
      const Counts& sum = counts[group];
      const Verdict worst = sum.of(Verdict::fail) > 0   ? Verdict::fail
                            : sum.of(Verdict::warn) > 0 ? Verdict::warn
                            : sum.of(Verdict::pass) > 0 ? Verdict::pass
                                                        : Verdict::skip;
      out_ += fmt::format("{} {:<24} {}\n", coloured(worst, text_of(worst)), group, text_of(sum));
    }
  }

  void every_finding() {
    out_ += "\n";
    for (const Finding& it : report_.findings) {
      const std::string message =
          it.verdict == Verdict::pass ? "" : ": " + text::visible(shortened(it.message, shown_value), text::lines);
      out_ += fmt::format("{} {} {}{}{}\n", coloured(it.verdict, text_of(it.verdict)), it.revision->name,
                          it.requirement->id, it.known ? " (known)" : "", message);
    }
  }

  void failures(Verdict verdict) {
    for (const FindingGroup& group : alike(report_.findings, verdict, false)) failure(group);
  }

  void failure(const FindingGroup& group) {
    const Finding& it = *group.front();
    const Requirement& requirement = *it.requirement;
    out_ += fmt::format("\n{} {}  [{}]\n", coloured(it.verdict, text_of(it.verdict)), requirement.id,
                        revisions_text(group));
    field(requirement.level_text, requirement.requirement);
    field("section", requirement.section);
    field("expected", it.expected);
    field("got", it.got);
    if (const Cause* cause = cause_of(report_.causes, it)) {
      explained(*cause, it);
    } else {
      field("why", requirement.why);
      field("fix", requirement.fix);
    }
    field("repeat", repeat_command(report_, it));
    if (const std::string by_hand = pipeline(report_, it); by_hand.size() <= shown_value) field("by hand", by_hand);
    transcript(it.transcript);
  }

  void explained(const Cause& cause, const Finding& finding) {
    field("cause", cause.says);
    field("loses", cause.loses);
    field("fix", cause.fix);
    field("owner", cause.owner);
    field("known at", cause.report);
    field("as well", also_failed(cause, finding));
  }

  void field(std::string_view name, const std::string& value) {
    if (value.empty()) return;
    const std::string shown = text::visible(shortened(value, shown_value), text::lines);
    out_ += fmt::format("  {:<9} {}\n", name, shown.substr(0, shown.find_last_not_of('\n') + 1));
  }

  void transcript(const std::string& text) {
    if (text.empty()) return;
    out_ += "  what was sent (->) and what came back (<-, on standard error !!):\n";
    std::string rest = excerpt(text, shown_lines, shown_width);
    for (std::size_t end = 0; (end = rest.find('\n')) != std::string::npos; rest.erase(0, end + 1))
      out_ += "    " + rest.substr(0, end) + "\n";
  }

  void notes() {
    const auto groups = alike(report_.findings, Verdict::info, false);
    if (groups.empty()) return;
    out_ += "\nnotes\n";
    for (const FindingGroup& group : groups)
      out_ += fmt::format("  {}: {}\n", group.front()->requirement->id,
                          text::visible(shortened(group.front()->message, shown_value), text::lines));
  }

  void known() {
    const std::size_t count = counts_of(report_.findings).known;
    if (count > 0) out_ += fmt::format("\n{} known failure{} of the baseline\n", count, count == 1 ? "" : "s");
    for (const Finding& it : report_.findings) {
      if (it.known && !it.known_because.empty())
        out_ += fmt::format("  {} {}: {}\n", it.revision->name, it.requirement->id,
                            text::visible(shortened(it.known_because, shown_width)));
    }
    for (const KnownFailure& it : report_.expired)
      out_ +=
          fmt::format("{} {} was excused by the baseline until {}\n", it.revision, text::visible(it.check), it.expires);
    for (const KnownFailure& it : report_.mended) out_ += out_of_date(it) + "\n";
  }

  void ending() {
    if (!report_.partial.empty())
      out_ +=
          fmt::format("\nthe run ended before it was through: {}; what was not judged is a SKIP\n", report_.partial);
    const Verdict verdict = outcome(report_);
    out_ += fmt::format("\n{}: {} in {:.1f} s{}\n", coloured(verdict, text_of(verdict)),
                        text_of(counts_of(report_.findings)), static_cast<double>(report_.time.count()) / 1000,
                        verdict == Verdict::skip ? "; nothing could be judged" : "");
  }

  const Report& report_;
  const TerminalStyle style_;
  std::string out_;
};

}  // namespace

std::string terminal_report(const Report& report, const TerminalStyle& style) { return Writer(report, style).text(); }

}  // namespace toolwire::conformance
