#include "passive/passive.hpp"

#include "catalogue/catalogue.hpp"
#include "passive/tables.hpp"

namespace toolwire::conformance {

std::span<const PassiveCheck> passive_checks() {
  static const std::vector<PassiveCheck> all = [] {
    std::vector<PassiveCheck> checks;
    for (auto table : {framing_passive_checks(), message_passive_checks(), meta_passive_checks(),
                       modern_passive_checks(), revision_passive_checks(), schema_passive_checks()})
      checks.insert(checks.end(), table.begin(), table.end());
    return checks;
  }();
  return all;
}

void Passive::look_at(Session& session, std::string_view traffic_of) {
  for (const PassiveCheck& check : passive_checks()) {
    const Requirement* requirement = find_requirement(check.id);
    if (requirement == nullptr || !requirement->holds_in(session.revision().name)) continue;
    Watch watch;
    check.look(session, watch);
    const MutexLock lock(mutex_);
    Sum& sum = sums_[{session.revision().name, check.id}];
    sum.looked_at += watch.looked_at;
    const bool known = !sum.got.empty() && (watch.only_warns || !sum.only_warns);
    if (watch.got.empty() || known) continue;
    sum.expected = std::move(watch.expected);
    sum.got = std::move(watch.got);
    sum.only_warns = watch.only_warns;
    sum.transcript = session.connection().recording().text();
    sum.traffic = traffic_of;
    sum.sent = session.connection().recording().stimuli();
    if (const Message* line = session.foreign_line_in(sum.got))
      sum.evidence = {Symptom::foreign_output, "", line->text.substr(0, Session::shown_foreign)};
  }
}

std::vector<Finding> Passive::findings(const Revision& revision) const {
  const MutexLock lock(mutex_);
  std::vector<Finding> all;
  for (const PassiveCheck& check : passive_checks()) {
    const Requirement* requirement = find_requirement(check.id);
    if (requirement == nullptr || !requirement->holds_in(revision.name)) continue;
    Finding finding{.requirement = requirement, .revision = &revision};
    auto found = sums_.find({revision.name, check.id});
    if (found == sums_.end() || (found->second.looked_at == 0 && found->second.got.empty())) {
      finding.verdict = Verdict::skip;
      finding.message = "nothing of the kind was seen in the traffic of the checks that ran";
    } else if (!found->second.got.empty()) {
      finding.verdict = found->second.only_warns ? Verdict::warn : verdict_of(*requirement, revision.name);
      finding.message = requirement->requirement;
      finding.expected = found->second.expected;
      finding.got = found->second.got;
      finding.transcript = found->second.transcript;
      finding.traffic = found->second.traffic;
      finding.sent = found->second.sent;
      finding.evidence = found->second.evidence;
    }
    all.push_back(std::move(finding));
  }
  return all;
}

}  // namespace toolwire::conformance
