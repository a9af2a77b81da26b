#include "report/causes.hpp"

#include <algorithm>
#include <map>
#include <tuple>
#include <utility>

#include "catalogue/catalogue.hpp"
#include "driver/revision.hpp"

namespace toolwire::conformance {
namespace {

bool is_failure(const Finding& finding) { return finding.verdict >= Verdict::warn && !finding.known; }

bool contains(const std::vector<std::string>& list, const std::string& text) {
  return std::ranges::find(list, text) != list.end();
}

bool is_explained_by(const KnownCause& cause, const Finding& finding) {
  const Requirement& it = *finding.requirement;
  return it.id == cause.when || contains(cause.explains, it.id) || contains(cause.explains, it.group);
}

bool shows(const KnownCause& cause, const Evidence& evidence) {
  return cause.symptom != Symptom::none && cause.symptom == evidence.symptom &&
         (cause.stimulus.empty() || cause.stimulus == evidence.stimulus);
}

/// Whether the check that decides it has failed, in the finding's revision.
bool decided(const KnownCause& cause, const Finding& finding, const std::vector<Finding>& all) {
  return std::ranges::any_of(all, [&](const Finding& it) {
    return it.revision == finding.revision && it.requirement->id == cause.when && it.verdict == Verdict::fail;
  });
}

const KnownCause* kind_of(const Finding& finding, const std::vector<Finding>& all) {
  const auto causes = known_causes();
  // What a check saw is surer than what usually follows.
  const auto seen = std::ranges::find_if(causes, [&](const KnownCause& it) { return shows(it, finding.evidence); });
  if (seen != causes.end() && seen->symptom != Symptom::dropped) return &*seen;
  const auto follows = std::ranges::find_if(causes, [&](const KnownCause& it) {
    return !it.when.empty() && is_explained_by(it, finding) && decided(it, finding, all);
  });
  if (follows != causes.end()) return &*follows;
  return seen != causes.end() ? &*seen : nullptr;
}

/// A process that ends at one request need not end at another of the same reason.
std::string id_of(const KnownCause& kind, const Evidence& evidence) {
  if (kind.symptom != Symptom::ended) return kind.id;
  return kind.stimulus.empty() ? kind.id + " " + evidence.stimulus : kind.id;
}

std::string text_of(const KnownCause& kind, const Evidence& evidence) {
  std::string text = kind.says;
  if (kind.symptom == Symptom::ended && kind.stimulus.empty()) text += ", after " + evidence.stimulus;
  if (kind.symptom == Symptom::ended) text += " (it " + evidence.detail + ")";
  if (kind.symptom == Symptom::foreign_output) text += ": " + evidence.detail;
  return text;
}

void name_owner(Cause& cause, const KnownCause& kind, const Origin& origin) {
  for (const Package& package : origin.sdks) {
    const auto sdks = known_sdks();
    const auto sdk = std::ranges::find_if(sdks, [&](const Sdk& it) {
      return it.registry == package.registry && it.package == package.name && it.owns.contains(kind.id);
    });
    if (sdk == sdks.end()) continue;
    cause.owner = package.text() + " (" + sdk->name + ")";
    cause.report = sdk->owns.at(kind.id);
    return;
  }
}

/// The better of two to show the cause: as its kind says, else the worse, else the first of the catalogue.
auto rank_of(const KnownCause& kind, const Finding& finding) {
  const auto preferred = std::ranges::find(kind.shown_by, finding.requirement->id);
  return std::tuple(finding.requirement->id != kind.when, preferred - kind.shown_by.begin(),
                    -static_cast<int>(finding.verdict), finding.requirement);
}

struct Group {
  const KnownCause* kind = nullptr;
  Evidence evidence;                                          // of the first
  std::map<std::string_view, std::vector<Finding*>> members;  // by revision
};

/// The first that was found comes first.
std::vector<std::pair<std::string, Group>> groups_of(std::vector<Finding>& findings) {
  std::vector<std::pair<std::string, Group>> groups;
  for (Finding& finding : findings) {
    const KnownCause* kind = is_failure(finding) ? kind_of(finding, findings) : nullptr;
    if (kind == nullptr) continue;
    const std::string id = id_of(*kind, finding.evidence);
    auto group = std::ranges::find(groups, id, &std::pair<std::string, Group>::first);
    if (group == groups.end()) group = groups.insert(groups.end(), {id, {kind, finding.evidence, {}}});
    group->second.members[finding.revision->name].push_back(&finding);
  }
  return groups;
}

void add_check(Cause& cause, const Finding& finding) {
  if (!contains(cause.checks, finding.requirement->id)) cause.checks.push_back(finding.requirement->id);
}

/// One finding of a revision stays; it is as bad as the worst.
void keep_one(Cause& cause, const KnownCause& kind, std::vector<Finding*>& members) {
  std::ranges::sort(members, {}, [&](const Finding* it) { return rank_of(kind, *it); });
  Finding& kept = *members.front();
  for (Finding* member : members) {
    member->cause = cause.id;
    add_check(cause, *member);
    kept.verdict = std::max(kept.verdict, member->verdict);
    if (member == &kept) continue;
    member->was = member->verdict;
    member->verdict = Verdict::skip;
    member->message = "not judged: " + cause.says + "; see " + kept.requirement->id;
  }
}

}  // namespace

std::vector<Cause> find_causes(std::vector<Finding>& findings, const Origin& origin) {
  std::vector<Cause> causes;
  for (auto& [id, group] : groups_of(findings)) {
    Cause cause{.id = id,
                .says = text_of(*group.kind, group.evidence),
                .loses = group.kind->loses,
                .fix = group.kind->fix,
                .owner = "",
                .report = "",
                .checks = {}};
    name_owner(cause, *group.kind, origin);
    for (auto revision = group.members.rbegin(); revision != group.members.rend(); ++revision)
      keep_one(cause, *group.kind, revision->second);
    causes.push_back(std::move(cause));
  }
  return causes;
}

const Cause* cause_of(const std::vector<Cause>& causes, const Finding& finding) {
  const auto found = std::ranges::find(causes, finding.cause, &Cause::id);
  return finding.cause.empty() || found == causes.end() ? nullptr : &*found;
}

}  // namespace toolwire::conformance
