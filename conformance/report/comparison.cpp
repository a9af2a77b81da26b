#include "report/comparison.hpp"

#include <fmt/format.h>

#include <map>
#include <stdexcept>
#include <utility>

#include <toolwire/text.hpp>

#include "driver/message.hpp"
#include "report/safe_text.hpp"

namespace toolwire::conformance {
namespace {

constexpr std::size_t shown_name = 200;

using Verdicts = std::map<std::pair<std::string, std::string>, std::string>;  // by revision and check

Verdicts verdicts_of(const Json& report, std::string_view which) {
  const JsonArray* checks = get(report, "checks").if_array();
  if (get(report, "format") != Json(1) || checks == nullptr)
    throw std::invalid_argument(fmt::format("{} is no report of toolwire-conformance --json", which));
  Verdicts verdicts;
  for (const Json& check : *checks) {
    const std::string_view was = text_of(get(check, "was"));
    verdicts[{std::string(text_of(get(check, "revision"))), std::string(text_of(get(check, "id")))}] =
        was.empty() ? text_of(get(check, "verdict")) : was;
  }
  return verdicts;
}

int badness(std::string_view verdict) { return verdict == "FAIL" ? 2 : verdict == "WARN" ? 1 : 0; }

bool is_judged(std::string_view verdict) { return !verdict.empty() && verdict != "SKIP"; }

void add(Comparison& comparison, Change&& change) {
  const int before = badness(change.before);
  const int after = badness(change.after);
  if (after > before)
    comparison.worse.push_back(std::move(change));
  else if (is_judged(change.before) && !is_judged(change.after))
    comparison.unjudged.push_back(std::move(change));
  else if (after < before)
    comparison.better.push_back(std::move(change));
  else if (!is_judged(change.before) && is_judged(change.after))
    comparison.judged.push_back(std::move(change));
}

void list(std::string& out, std::string_view what, const std::vector<Change>& changes) {
  if (changes.empty()) return;
  out += fmt::format("{} ({})\n", what, changes.size());
  for (const Change& it : changes) {
    out += fmt::format("  {} {}: {} -> {}\n", text::visible(shortened(it.revision, shown_name)),
                       text::visible(shortened(it.check, shown_name)), it.before.empty() ? "none" : it.before,
                       it.after.empty() ? "none" : it.after);
  }
}

}  // namespace

Comparison compare_reports(const Json& before, const Json& after) {
  const Verdicts old_verdicts = verdicts_of(before, "the first file");
  Verdicts new_verdicts = verdicts_of(after, "the second file");
  Comparison comparison;
  for (const auto& [key, verdict] : old_verdicts) {
    const auto found = new_verdicts.find(key);
    add(comparison, {key.second, key.first, verdict, found != new_verdicts.end() ? found->second : ""});
    if (found != new_verdicts.end()) new_verdicts.erase(found);
  }
  for (const auto& [key, verdict] : new_verdicts) add(comparison, {key.second, key.first, "", verdict});
  return comparison;
}

std::string text_of(const Comparison& comparison) {
  std::string out;
  list(out, "worse", comparison.worse);
  list(out, "not judged any more", comparison.unjudged);
  list(out, "mended", comparison.better);
  list(out, "judged for the first time", comparison.judged);
  return out.empty() ? "no verdict has changed\n" : out;
}

}  // namespace toolwire::conformance
