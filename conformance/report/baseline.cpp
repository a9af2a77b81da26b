#include "report/baseline.hpp"

#include <fmt/chrono.h>

#include <algorithm>
#include <stdexcept>

#include "catalogue/catalogue.hpp"
#include "driver/message.hpp"
#include "driver/revision.hpp"

namespace toolwire::conformance {
namespace {

bool is_day(std::string_view text) {
  constexpr std::string_view form = "0000-00-00";
  return text.size() == form.size() && std::equal(text.begin(), text.end(), form.begin(), [](char c, char wanted) {
           return wanted == '-' ? c == '-' : c >= '0' && c <= '9';
         });
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
  std::string text = "{\"known\": [";
  std::string_view between = "\n  ";
  for (const Finding& finding : findings) {
    if (finding.verdict < Verdict::warn) continue;
    JsonObject entry{{"check", finding.requirement->id},
                     {"revision", finding.revision->name},
                     {"verdict", text_of(finding.verdict)}};
    const auto same = std::ranges::find_if(before, [&](const KnownFailure& it) { return is_of(it, finding); });
    if (same != before.end() && !same->reason.empty()) entry["reason"] = same->reason;
    if (same != before.end() && !same->expires.empty()) entry["expires"] = same->expires;
    text.append(between).append(to_json_text(entry));
    between = ",\n  ";
  }
  return text + "\n]}\n";
}

}  // namespace toolwire::conformance
