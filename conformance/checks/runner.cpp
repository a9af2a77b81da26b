#include "checks/runner.hpp"

#include <algorithm>
#include <stdexcept>
#include <thread>
#include <utility>

#include "catalogue/catalogue.hpp"
#include "catalogue/over_http.hpp"
#include "checks/fuzz.hpp"
#include "checks/groups.hpp"
#include "driver/interruption.hpp"
#include "driver/side_by_side.hpp"
#include "toolwire/detail/mutex.hpp"

namespace toolwire::conformance {
namespace {

bool selected(const Selection& selection, const Requirement& requirement) {
  return selection.only.empty() || std::any_of(selection.only.begin(), selection.only.end(), [&](const auto& name) {
           return name == requirement.id || name == requirement.group;
         });
}

bool selected(const Selection& selection, const Revision& revision) {
  return selection.revisions.empty() ||
         std::find(selection.revisions.begin(), selection.revisions.end(), revision.name) != selection.revisions.end();
}

/// The work of one thread: the checks of one group in one revision, in sequence, in a shared session.
struct Unit {
  const Offer* offer;
  std::span<const Check> checks;
};

/// Groups whose checks wait or work for long, the longest first. Their checks hold sessions of their own, so they are
/// dealt out in small parts; and they begin first, so that no thread is left with a long one when all others are done.
constexpr std::string_view slow_groups[] = {
    fuzz_group, "robustness-process", "robustness-flow",  "robustness-input",      "cancellation", "shutdown",
    "mrtr",     "tasks-extension",    "tasks-2025-11-25", "legacy-server-requests"};
constexpr std::size_t slow_part = 3;

bool is_slow(std::string_view group) {
  return std::find(std::begin(slow_groups), std::end(slow_groups), group) != std::end(slow_groups);
}

/// Whether a check belongs to the run, by its requirement.
bool belongs(const Selection& selection, const Requirement& requirement) {
  if (selection.quick && (!requirement.first || is_slow(requirement.group))) return false;
  return selected(selection, requirement);
}

std::vector<const Offer*> offers_of(const Target& target, const Selection& selection) {
  std::vector<const Offer*> offers;
  for (const Revision& revision : revisions) {
    auto offer = target.offers.find(revision.name);
    if (offer != target.offers.end() && offer->second.served && selected(selection, revision))
      offers.push_back(&offer->second);
  }
  if (selection.quick && offers.size() > 1) offers.erase(offers.begin(), offers.end() - 1);
  return offers;
}

void add_parts(std::vector<Unit>& units, const Offer* offer, std::span<const Check> checks, std::size_t part) {
  for (std::size_t at = 0; at < checks.size(); at += part)
    units.push_back({offer, checks.subspan(at, std::min(part, checks.size() - at))});
}

std::vector<Unit> slow_units(const std::vector<const Offer*>& offers) {
  std::vector<Unit> units;
  for (const std::string_view name : slow_groups) {
    for (const Group& group : groups()) {
      if (group.name != name) continue;
      for (const Offer* offer : offers) add_parts(units, offer, group.checks, slow_part);
    }
  }
  return units;
}

std::vector<Unit> fast_units(const std::vector<const Offer*>& offers) {
  std::vector<Unit> units;
  for (const Group& group : groups()) {
    if (is_slow(group.name)) continue;
    for (const Offer* offer : offers) add_parts(units, offer, group.checks, group.checks.size());
  }
  return units;
}

std::vector<Unit> units_of(const Target& target, const Selection& selection) {
  const auto offers = offers_of(target, selection);
  std::vector<Unit> first = selection.fast_first ? fast_units(offers) : slow_units(offers);
  const std::vector<Unit> second = selection.fast_first ? slow_units(offers) : fast_units(offers);
  first.insert(first.end(), second.begin(), second.end());
  return first;
}

/// A failed check whose verdict rests on time, beside others that ran: a wait that ended, a latency; or one that the
/// server refused requests, as too many had come.
struct Doubtful {
  const Offer* offer;
  const Check* check;
  const Requirement* requirement;
  Finding finding;
};

/// Shared by all threads.
struct Sum {
  Mutex mutex;
  std::vector<Finding> findings TOOLWIRE_GUARDED_BY(mutex);
  std::vector<Doubtful> doubtful TOOLWIRE_GUARDED_BY(mutex);
  const std::function<void(const Finding&)>& progress;

  void doubt(Doubtful&& one) {
    const MutexLock lock(mutex);
    doubtful.push_back(std::move(one));
  }

  std::vector<Doubtful> take_doubtful() {
    const MutexLock lock(mutex);
    return std::exchange(doubtful, {});
  }

  void add(Finding&& finding) {
    const MutexLock lock(mutex);
    if (progress) progress(finding);
    findings.push_back(std::move(finding));
  }

  std::vector<Finding> take_in_order() {
    const MutexLock lock(mutex);
    std::stable_sort(findings.begin(), findings.end(), [](const Finding& a, const Finding& b) {
      return std::pair(a.revision, a.requirement) < std::pair(b.revision, b.requirement);
    });
    return std::exchange(findings, {});
  }
};

Finding not_over_http(const Requirement& requirement, const Offer& offer) {
  return {.requirement = &requirement,
          .revision = offer.revision,
          .verdict = Verdict::skip,
          .message = "not judged over HTTP: " + std::string(why_not_over_http(requirement, offer.revision->name))};
}

/// Whether it is left out without a word: it is about a transport that the server does not use, or was not asked for.
bool is_left_out(const Target& target, const Requirement& requirement) {
  return (requirement.group == http_group && !target.launch.http) ||
         (requirement.group == fuzz_group && !target.fuzzing);
}

/// Whether it is left out with one.
bool is_unjudged(const Target& target, const Requirement& requirement, const Offer& offer) {
  return target.launch.http && !why_not_over_http(requirement, offer.revision->name).empty();
}

Finding not_run(const Requirement& requirement, const Offer& offer) {
  return {.requirement = &requirement,
          .revision = offer.revision,
          .verdict = Verdict::skip,
          .message = "the run ended before the check began: " + std::string(text_of(run_end()))};
}

void run_unit(const Target& target, const Selection& selection, const Unit& unit, bool alone, Passive& passive,
              Sum& sum) {
  std::unique_ptr<Session> shared;
  for (const Check& check : unit.checks) {
    const Requirement* requirement = find_requirement(check.id);
    if (requirement == nullptr) throw std::logic_error("no requirement " + std::string(check.id));
    if (!requirement->holds_in(unit.offer->revision->name) || !belongs(selection, *requirement)) continue;
    if (is_left_out(target, *requirement)) continue;
    if (is_unjudged(target, *requirement, *unit.offer)) {
      sum.add(not_over_http(*requirement, *unit.offer));
      continue;
    }
    Probe probe(target, *unit.offer, *requirement, shared, passive);
    Finding finding = run_end() == RunEnd::none ? probe.run(check.run) : not_run(*requirement, *unit.offer);
    const bool may_be_chance = !alone && finding.verdict >= Verdict::warn && probe.rests_on_time();
    if (may_be_chance || (finding.verdict == Verdict::skip && probe.was_refused_as_too_many()))
      sum.doubt({unit.offer, &check, requirement, std::move(finding)});
    else
      sum.add(std::move(finding));
  }
  if (shared) passive.look_at(*shared, find_requirement(unit.checks.front().id)->group);
}

/// What rests on time blames the server only if it comes again with nothing else running. Once many have come again in
/// a row, the machine is not the cause of the others.
void repeat_alone(const Target& target, Passive& passive, Sum& sum) {
  constexpr int enough = 8;
  int confirmed = 0;
  for (Doubtful& one : sum.take_doubtful()) {
    if (run_end() != RunEnd::none) {
      one.finding = not_run(*one.requirement, *one.offer);
      one.finding.message = "seen once, and not again before the run ended: " + std::string(text_of(run_end()));
    } else if (confirmed < enough) {
      std::unique_ptr<Session> shared;
      Probe probe(target, *one.offer, *one.requirement, shared, passive);
      one.finding = probe.run(one.check->run);
      confirmed = one.finding.verdict >= Verdict::warn ? confirmed + 1 : 0;
      if (shared) passive.look_at(*shared, one.requirement->id);
    }
    sum.add(std::move(one.finding));
  }
}

/// Most of the time of a check is waiting, unless the server needs long to start: then the starts are work. What is
/// idle all the same is used.
Jobs jobs_for(const Target& target, const Selection& selection) {
  if (selection.jobs > 0) return {selection.jobs, selection.jobs};
  constexpr unsigned most = 16;
  constexpr std::chrono::milliseconds slow_start{150};
  const unsigned cores = std::max(1U, std::thread::hardware_concurrency());
  return {target.start_time > slow_start ? cores : std::clamp(2 * cores, 4U, most), most};
}

}  // namespace

void check_selection(const Selection& selection) {
  for (const std::string& name : selection.only) {
    const auto& all = requirements();
    if (std::none_of(all.begin(), all.end(), [&](const auto& it) { return it.id == name || it.group == name; }))
      throw std::invalid_argument("\"" + name + "\" is neither a check nor a group; --list names them");
  }
  for (const std::string& name : selection.revisions) {
    if (find_revision(name) == nullptr)
      throw std::invalid_argument("\"" + name +
                                  "\" is no revision; expected 2024-11-05, 2025-03-26, 2025-06-18, "
                                  "2025-11-25 or 2026-07-28");
  }
}

std::vector<std::string> judged_revisions(const Target& target, const Selection& selection) {
  std::vector<std::string> names;
  for (const Offer* offer : offers_of(target, selection)) names.emplace_back(offer->revision->name);
  return names;
}

std::vector<Finding> run_checks(const Target& target, const Selection& selection,
                                const std::function<void(const Finding&)>& progress,
                                std::vector<std::unique_ptr<Session>> looked) {
  const auto units = units_of(target, selection);
  Passive passive;
  for (const auto& session : looked) passive.look_at(*session, "");
  looked.clear();
  Sum sum{{}, {}, {}, progress};
  const Jobs jobs = jobs_for(target, selection);
  run_side_by_side(units.size(), jobs,
                   [&](std::size_t mine) { run_unit(target, selection, units[mine], jobs.most == 1, passive, sum); });
  repeat_alone(target, passive, sum);
  for (const Offer* offer : offers_of(target, selection)) {
    for (Finding& finding : passive.findings(*offer->revision)) {
      if (!belongs(selection, *finding.requirement)) continue;
      sum.add(is_unjudged(target, *finding.requirement, *offer) ? not_over_http(*finding.requirement, *offer)
                                                                : std::move(finding));
    }
  }
  return sum.take_in_order();
}

}  // namespace toolwire::conformance
