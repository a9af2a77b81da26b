#include "report/baseline.hpp"

#include <fmt/chrono.h>

#include <algorithm>
#include <chrono>
#include <stdexcept>
#include <string>
#include <utility>

#include "catalogue/catalogue.hpp"
#include "driver/message.hpp"
#include "driver/revision.hpp"

namespace toolwire::conformance {
namespace {

bool is_day(std::string_view text) {
  constexpr std::string_view form = "0000-00-00";
  const bool has_form = text.size() == form.size() &&
                        std::equal(text.begin(), text.end(), form.begin(),
                                   [](char c, char wanted) { return wanted == '-' ? c == '-' : c >= '0' && c <= '9'; });
  if (!has_form) return false;
  const auto number = [&](std::size_t at, std::size_t size) { return std::stoi(std::string(text.substr(at, size))); };
  return std::chrono::year_month_day(std::chrono::year(number(0, 4)),
                                     std::chrono::month(static_cast<unsigned>(number(5, 2))),
                                     std::chrono::day(static_cast<unsigned>(number(8, 2))))
      .ok();
}

bool is_text_or_absent(const Json& json) { return json.is_null() || json.is_string(); }

KnownFailure read_entry(const Json& json) {
  const std::string_view verdict = text_of(get(json, "verdict"));
  KnownFailure entry{.check = std::string(text_of(get(json, "check"))),
                     .revision = std::string(text_of(get(json, "revision"))),
                     .verdict = verdict == "WARN" ? Verdict::warn : Verdict::fail,
                     .reason = std::string(text_of(get(json, "reason"))),
                     .expires = std::string(text_of(get(json, "expires")))};
  if (find_revision(entry.revision) == nullptr || entry.check.empty() || (verdict != "WARN" && verdict != "FAIL") ||
      !is_text_or_absent(get(json, "reason")))
    throw std::invalid_argument(
        "baseline: expected {\"check\", \"revision\", \"verdict\": \"FAIL\" or \"WARN\", and perhaps \"reason\" and "
        "\"expires\"}, found " +
        to_json_text(json));
  if (!is_text_or_absent(get(json, "expires")) || (!entry.expires.empty() && !is_day(entry.expires)))
    throw std::invalid_argument("baseline: expected a day such as \"2026-12-31\" for \"expires\", found " +
                                to_json_text(json));
  if (find_requirement(entry.check) == nullptr)
    throw std::invalid_argument("baseline: there is no check \"" + entry.check + "\"; --list names them");
  return entry;
}

bool is_of(const KnownFailure& entry, const Finding& finding) {
  return entry.check == finding.requirement->id && entry.revision == finding.revision->name;
}

/// Not by a run of some checks or revisions, nor where something was missing.
bool is_judged(const KnownFailure& entry, const std::vector<Finding>& findings) {
  return std::ranges::any_of(findings,
                             [&](const Finding& it) { return is_of(entry, it) && it.verdict != Verdict::skip; });
}

Json json_of(const KnownFailure& entry) {
  JsonObject json{{"check", entry.check}, {"revision", entry.revision}, {"verdict", text_of(entry.verdict)}};
  if (!entry.reason.empty()) json["reason"] = entry.reason;
  if (!entry.expires.empty()) json["expires"] = entry.expires;
  return json;
}

}  // namespace

std::vector<KnownFailure> read_baseline(const Json& json) {
  const JsonArray* list = get(json, "known").if_array();
  if (list == nullptr) throw std::invalid_argument("baseline: expected an object with the array \"known\"");
  std::vector<KnownFailure> all;
  for (const Json& entry : *list) all.push_back(read_entry(entry));
  return all;
}

std::string day_of(std::chrono::system_clock::time_point time) { return fmt::format("{:%Y-%m-%d}", fmt::gmtime(time)); }

BaselineChanges apply_baseline(const std::vector<KnownFailure>& baseline, std::string_view today,
                               std::vector<Finding>& findings) {
  BaselineChanges changes;
  for (const KnownFailure& entry : baseline) {
    const bool expired = !entry.expires.empty() && entry.expires < today;
    for (Finding& finding : findings) {
      if (!is_of(entry, finding)) continue;
      if (finding.verdict <= Verdict::info) changes.mended.push_back(entry);
      if (finding.verdict < Verdict::warn || finding.verdict > entry.verdict) continue;
      if (expired) changes.expired.push_back(entry);
      finding.known = !expired;
      finding.known_because = entry.reason;
    }
  }
  return changes;
}

std::string baseline_text(const std::vector<Finding>& findings, const std::vector<KnownFailure>& before) {
  std::vector<KnownFailure> all;
  for (const Finding& finding : findings) {
    if (finding.verdict < Verdict::warn) continue;
    KnownFailure entry{.check = finding.requirement->id,
                       .revision = std::string(finding.revision->name),
                       .verdict = finding.verdict,
                       .reason = {},
                       .expires = {}};
    const auto same = std::ranges::find_if(before, [&](const KnownFailure& it) { return is_of(it, finding); });
    if (same != before.end()) {
      entry.reason = same->reason;
      entry.expires = same->expires;
    }
    all.push_back(std::move(entry));
  }
  for (const KnownFailure& entry : before) {
    if (!is_judged(entry, findings)) all.push_back(entry);
  }
  std::string text = "{\"known\": [";
  std::string_view between = "\n  ";
  for (const KnownFailure& entry : all) {
    text.append(between).append(to_json_text(json_of(entry)));
    between = ",\n  ";
  }
  return text + "\n]}\n";
}

}  // namespace toolwire::conformance
