#include "report/baseline.hpp"

#include <algorithm>
#include <stdexcept>

#include "driver/message.hpp"
#include "driver/revision.hpp"

namespace toolwire::conformance {
namespace {

KnownFailure read_entry(const Json& json) {
  const std::string_view verdict = text_of(get(json, "verdict"));
  KnownFailure entry{std::string(text_of(get(json, "check"))), std::string(text_of(get(json, "revision"))),
                     verdict == "WARN" ? Verdict::warn : Verdict::fail};
  if (find_revision(entry.revision) == nullptr || entry.check.empty() || (verdict != "WARN" && verdict != "FAIL"))
    throw std::invalid_argument(
        "baseline: expected {\"check\", \"revision\", \"verdict\": \"FAIL\" or \"WARN\"}, found " + to_json_text(json));
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

std::vector<KnownFailure> apply_baseline(const std::vector<KnownFailure>& baseline, std::vector<Finding>& findings) {
  std::vector<KnownFailure> mended;
  for (const KnownFailure& entry : baseline) {
    for (Finding& finding : findings) {
      if (!is_of(entry, finding)) continue;
      finding.known = finding.verdict >= Verdict::warn && finding.verdict <= entry.verdict;
      if (finding.verdict == Verdict::pass) mended.push_back(entry);
    }
  }
  return mended;
}

std::string baseline_text(const std::vector<Finding>& findings) {
  std::string text = "{\"known\": [";
  std::string_view between = "\n  ";
  for (const Finding& finding : findings) {
    if (finding.verdict < Verdict::warn) continue;
    text.append(between).append(to_json_text(JsonObject{{"check", finding.requirement->id},
                                                        {"revision", finding.revision->name},
                                                        {"verdict", text_of(finding.verdict)}}));
    between = ",\n  ";
  }
  return text + "\n]}\n";
}

}  // namespace toolwire::conformance
