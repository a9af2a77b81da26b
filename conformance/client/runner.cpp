#include "client/runner.hpp"

#include <algorithm>
#include <optional>
#include <stdexcept>
#include <thread>

#include <fmt/format.h>

#include "catalogue/catalogue.hpp"
#include "client/looking.hpp"
#include "client/survey.hpp"
#include "driver/interruption.hpp"
#include "driver/side_by_side.hpp"
#include "toolwire/detail/mutex.hpp"

namespace toolwire::conformance {
namespace {

/// What passive checks look at where nothing else is asked for.
constexpr std::string_view usual_cases[] = {"ids", "tools-only"};

/// One start of the host.
struct Task {
  const Case* played;
  const Revision* revision;
};

bool is_selected(const HostSelection& selection, const HostCheck& check) {
  const Requirement* requirement = find_requirement(check.id);
  if (requirement == nullptr) throw std::logic_error("no requirement " + std::string(check.id));
  return selection.only.empty() || std::ranges::any_of(selection.only, [&](const std::string& name) {
           return name == check.id || name == requirement->group;
         });
}

bool is_wanted(const HostSelection& selection, std::string_view revision) {
  return selection.revisions.empty() || std::ranges::find(selection.revisions, revision) != selection.revisions.end();
}

/// Whether a check that is wanted looks at this case; those that look at all get the usual ones.
bool is_needed(const HostSelection& selection, const Case& played) {
  const bool is_usual = std::ranges::find(usual_cases, played.name) != std::end(usual_cases);
  return std::ranges::any_of(host_checks(), [&](const HostCheck& check) {
    if (!is_selected(selection, check)) return false;
    return check.names(played.name) || (check.looks_at_all() && (selection.only.empty() || is_usual));
  });
}

std::vector<const Revision*> spoken(const Target& target) {
  std::vector<const Revision*> all;
  for (const Revision& revision : revisions) {
    const auto offer = target.offers.find(revision.name);
    if (offer != target.offers.end() && offer->second.served) all.push_back(&revision);
  }
  return all;
}

std::vector<const Revision*> revisions_of(const Case& played, const std::vector<const Revision*>& spoken) {
  const Revision* newest = nullptr;
  for (const Revision* it : spoken) {
    if (!it->modern) newest = it;
  }
  if (newest == nullptr && played.played == Played::newest && !spoken.empty()) newest = spoken.back();
  switch (played.played) {
    case Played::every:
      return spoken;
    case Played::newest:
    case Played::legacy:
      return newest != nullptr ? std::vector{newest} : std::vector<const Revision*>{};
    case Played::batching:
    case Played::modern:
      break;
  }
  std::vector<const Revision*> one;
  for (const Revision* it : spoken) {
    if (played.played == Played::modern ? it->modern : it->name == "2025-03-26") one.push_back(it);
  }
  return one;
}

std::vector<Task> tasks_of(const HostSelection& selection, const Target& target) {
  std::vector<Task> tasks;
  for (const Case& played : cases()) {
    if (played.name == "plain" || !is_needed(selection, played)) continue;
    for (const Revision* revision : revisions_of(played, spoken(target))) tasks.push_back({&played, revision});
  }
  return tasks;
}

/// Plays all tasks, `jobs` at a time. Those that the end of the run forestalls are left out.
std::vector<Play> play_all(const Host& host, const std::vector<Task>& tasks, unsigned jobs, const Say& say) {
  std::vector<std::optional<Play>> plays(tasks.size());
  std::size_t done = 0;
  Mutex mutex;
  run_side_by_side(tasks.size(), {jobs, jobs}, [&](std::size_t mine) {
    if (run_end() != RunEnd::none) return;
    try {
      plays[mine] = play_once(host, *tasks[mine].played, *tasks[mine].revision);
      const MutexLock lock(mutex);
      say(fmt::format("{} of {} cases played", ++done, tasks.size()));
    } catch (const RunEnded&) {  // it is not judged
    }
  });
  std::vector<Play> all;
  for (std::optional<Play>& play : plays) {
    if (play) all.push_back(std::move(*play));
  }
  return all;
}

Verdicts judged(const HostCheck& check, const Play& play, const HostTraits& traits) {
  Verdicts verdicts;
  check.judge(play, traits, verdicts);
  return verdicts;
}

bool fails(const HostSelection& selection, const Play& play, const HostTraits& traits) {
  return std::ranges::any_of(host_checks(), [&](const HostCheck& check) {
    return is_selected(selection, check) && check.looks_at(play.played->name) &&
           judged(check, play, traits).shown != nullptr;
  });
}

/// Nobody is blamed for a busy machine: what failed beside others counts only if it comes again alone. Once many have
/// come again in a row, the machine is not the cause of the rest.
void repeat_alone(const Host& host, const HostSelection& selection, const HostTraits& traits, std::vector<Play>& plays,
                  const Say& say) {
  constexpr int enough = 8;
  int confirmed = 0;
  for (Play& play : plays) {
    if (confirmed >= enough || run_end() != RunEnd::none) return;
    if (!fails(selection, play, traits)) continue;
    say(fmt::format("playing alone what failed: {}", play.played->name));
    try {
      play = play_once(host, *play.played, *play.revision);
    } catch (const RunEnded&) {
      return;
    }
    confirmed = fails(selection, play, traits) ? confirmed + 1 : 0;
  }
}

/// A check that has the traffic of this case, for who wants to see it again.
std::string traffic_of(const Play& play) {
  for (const HostCheck& check : host_checks()) {
    if (!check.looks_at_all() && check.names(play.played->name)) return std::string(check.id);
  }
  return "";
}

/// All that one check says in one revision.
class Sum {
 public:
  Sum(const HostCheck& check, const Revision& revision)
      : check_(check), requirement_(*find_requirement(check.id)), revision_(revision) {}

  void add(const Play& play, const HostTraits& traits) {
    ++plays_;
    const Verdicts verdicts = judged(check_, play, traits);
    looked_at_ += verdicts.looked_at;
    if (verdicts.shown == nullptr || failed_) return;
    failed_ = true;
    finding_.expected = verdicts.expected;
    finding_.got = verdicts.got;
    finding_.transcript = transcript_of(play);
    finding_.time = play.time;
    finding_.verdict = verdicts.only_warns ? Verdict::warn : verdict_of(requirement_, revision_.name);
    if (check_.looks_at_all()) finding_.traffic = traffic_of(play);
  }

  bool holds() const { return plays_ > 0 && requirement_.holds_in(revision_.name); }

  Finding finding() {
    finding_.requirement = &requirement_;
    finding_.revision = &revision_;
    if (failed_) {
      finding_.message = finding_.verdict == Verdict::info ? finding_.got : requirement_.requirement;
    } else if (looked_at_ == 0) {
      finding_.verdict = Verdict::skip;
      finding_.message = "not judged: " + std::string(check_.unseen);
    }
    return std::move(finding_);
  }

 private:
  const HostCheck& check_;
  const Requirement& requirement_;
  const Revision& revision_;
  std::size_t plays_ = 0, looked_at_ = 0;
  bool failed_ = false;
  Finding finding_ = {};
};

std::vector<Finding> findings_of(const HostSelection& selection, const std::vector<Play>& plays,
                                 const HostTraits& traits, const Target& target) {
  std::vector<Finding> findings;
  for (const Revision* revision : spoken(target)) {
    for (const HostCheck& check : host_checks()) {
      if (!is_selected(selection, check)) continue;
      Sum sum(check, *revision);
      for (const Play& play : plays) {
        if (play.revision == revision && check.looks_at(play.played->name)) sum.add(play, traits);
      }
      if (sum.holds()) findings.push_back(sum.finding());
    }
  }
  return findings;
}

std::vector<Task> survey_tasks(const HostSelection& selection) {
  std::vector<Task> tasks;
  for (const Revision& revision : revisions) {
    if (is_wanted(selection, revision.name)) tasks.push_back({find_case("plain"), &revision});
  }
  return tasks;
}

unsigned jobs_of(const HostSelection& selection) {
  if (selection.jobs > 0) return selection.jobs;
  return std::clamp(std::thread::hardware_concurrency(), 1U, 16U);
}

/// Only what the host speaks is judged.
std::vector<Play> spoken_plays(std::vector<Play> plays, const Target& target) {
  std::erase_if(plays, [&](const Play& play) { return !target.offers.at(play.revision->name).served; });
  return plays;
}

}  // namespace

void check_selection(const HostSelection& selection) {
  for (const std::string& name : selection.only) {
    const bool is_known = std::ranges::any_of(host_checks(), [&](const HostCheck& check) {
      const Requirement* requirement = find_requirement(check.id);
      return name == check.id || (requirement != nullptr && requirement->group == name);
    });
    if (!is_known)
      throw std::invalid_argument("\"" + name + "\" is neither a check of hosts nor a group of them; client --list " +
                                  "names them");
  }
  for (const std::string& name : selection.revisions) {
    if (find_revision(name) == nullptr)
      throw std::invalid_argument("\"" + name + "\" is no revision; expected 2024-11-05, 2025-03-26, 2025-06-18, " +
                                  "2025-11-25 or 2026-07-28");
  }
}

void add_host_requirements() {
  for (Requirement& requirement : host_requirements()) add_requirement(std::move(requirement));
}

std::set<std::string_view> host_check_ids() {
  std::set<std::string_view> ids;
  for (const HostCheck& check : host_checks()) ids.insert(check.id);
  return ids;
}

HostJudgement judge_host(Host host, const HostSelection& selection, Target& target, const Say& say,
                         const std::function<void(const Finding&)>& progress) {
  const unsigned jobs = jobs_of(selection);
  say("starting the host");
  std::vector<Play> plays = play_all(host, survey_tasks(selection), jobs, say);
  if (run_end() == RunEnd::none) require_sessions(plays);
  note_offers(plays, target);
  HostJudgement judgement{.traits = traits_of(plays)};
  judgement.traits.is_told_to_call = !host.profile.call.empty();
  if (judgement.traits.calls) host.main = "tools/call";
  if (judgement.traits.ends_by_itself) host.quiet = std::max(host.quiet, host.watch);  // what it waits for may be time
  plays = spoken_plays(std::move(plays), target);
  for (Play& play : play_all(host, tasks_of(selection, target), jobs, say)) plays.push_back(std::move(play));
  judgement.traits.hears =
      std::ranges::any_of(plays, [](const Play& it) { return answer_to(it, "toolwire-probe") != nullptr; });
  if (jobs > 1) repeat_alone(host, selection, judgement.traits, plays, say);
  judgement.findings = findings_of(selection, plays, judgement.traits, target);
  for (const Finding& finding : judgement.findings) progress(finding);
  return judgement;
}

}  // namespace toolwire::conformance
