// A report with one finding of each verdict, whose server writes what no report may pass on as it is.
#pragma once

#include <algorithm>
#include <string>
#include <utility>

#include "catalogue/catalogue.hpp"
#include "driver/revision.hpp"
#include "report/report.hpp"

namespace toolwire_test {

// NOLINTNEXTLINE(misc-misleading-bidirectional): its subject
inline const std::string nasty_text = "a<b>&\"'\x1b[31m\xff]]>\n{\"x\":\xE2\x80\xAE}";

inline toolwire::conformance::Finding finding(const std::string& id, toolwire::conformance::Verdict verdict,
                                              std::string_view revision = "2025-11-25") {
  namespace conformance = toolwire::conformance;
  conformance::Finding it{.requirement = conformance::find_requirement(id),
                          .revision = conformance::find_revision(revision),
                          .verdict = verdict};
  if (verdict == conformance::Verdict::pass) return it;
  it.message = "message of " + id;
  if (verdict < conformance::Verdict::warn) return it;
  it.expected = "an empty result";
  it.got = nasty_text;
  it.transcript = "1 ms -> {}\n2 ms <- " + nasty_text + "\n";
  return it;
}

/// Served in 2025-11-25 only; its command needs quotes.
inline toolwire::conformance::Target nasty_target() {
  namespace conformance = toolwire::conformance;
  conformance::Target target;
  target.launch.command = {"./server", "--name", "it's", "\x1b[0m"};
  for (const conformance::Revision& revision : conformance::revisions) {
    conformance::Offer offer{.revision = &revision, .served = revision.name == "2025-11-25"};
    if (offer.served)
      offer.opening = {{"serverInfo", {{"name", "nasty <script>\x1b"}, {"version", "\xC3"}}}};
    else
      offer.problem = nasty_text;
    target.offers.emplace(revision.name, std::move(offer));
  }
  return target;
}

inline toolwire::conformance::Report nasty_report(const toolwire::conformance::Target& target) {
  using toolwire::conformance::Verdict;
  toolwire::conformance::Report report{.target = target};
  report.findings = {finding("start-answers", Verdict::pass), finding("ping-prompt", Verdict::skip),
                     finding("ping-string-id", Verdict::warn), finding("ping-empty-result", Verdict::fail),
                     finding("lint-names", Verdict::info)};
  report.mended = {{"ping-server-issued", "2025-11-25", Verdict::warn}};
  report.repeat_options = {"--timeout 2"};
  report.time = std::chrono::milliseconds(1234);
  return report;
}

inline bool has(const std::string& text, const std::string& part) { return text.find(part) != std::string::npos; }

/// No control characters but line feeds and tabs, and no byte that is not UTF-8.
inline bool is_safe(const std::string& text) {
  return std::none_of(text.begin(), text.end(),
                      [](unsigned char c) {
                        return (c < 0x20 && c != '\n' && c != '\t') || c == 0x7F || c >= 0xF5 || c == 0xC0 || c == 0xC1;
                      }) &&
         !has(text, "\xE2\x80\xAE");  // NOLINT(misc-misleading-bidirectional): what is looked for
}

}  // namespace toolwire_test
