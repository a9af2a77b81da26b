#include "judging.hpp"

#include <fcntl.h>
#include <sys/file.h>
#include <unistd.h>

#include <atomic>
#include <csignal>
#include <fstream>
#include <iterator>
#include <stdexcept>
#include <thread>

#include "catalogue/catalogue.hpp"
#include "catalogue/over_http.hpp"
#include "checks/fuzz.hpp"
#include "checks/groups.hpp"
#include "checks/runner.hpp"
#include "passive/passive.hpp"
#include "target/discovery.hpp"
#include "target/start_up.hpp"

namespace mutants {
namespace {

namespace conformance = toolwire::conformance;
using conformance::Verdict;
using toolwire::Json;
using toolwire::JsonObject;

constexpr const char* mutant_program = TOOLWIRE_BIN_DIR "/toolwire-mutant";
constexpr const char* expected_file = TOOLWIRE_SOURCE_DIR "/tests/mutants/expected.json";
constexpr const char* uncovered_file = TOOLWIRE_SOURCE_DIR "/tests/mutants/uncovered.json";

std::string group_of(const std::string& check) {
  const conformance::Requirement* requirement = conformance::find_requirement(check);
  if (requirement == nullptr) throw std::invalid_argument("there is no check " + check);
  return requirement->group;
}

void add(Complaints& complaints, const conformance::Finding& finding) {
  if (finding.verdict < Verdict::warn) return;
  std::string& word = complaints[finding.requirement->id];
  if (word != "FAIL") word = std::string(conformance::text_of(finding.verdict));
}

/// All that a profile must say of `everything`, since no look can tell it from a fault.
Json meant_to_fail() { return {{"resource:failing", {{"uri", "test://failing"}}}}; }

/// One line a fault, so that changes can be read.
std::string text_of(const Expected& expected) {
  std::string text = "{\n";
  for (const auto& [fault, complaints] : expected) {
    JsonObject object;
    for (const auto& [check, word] : complaints) object[check] = word;
    text +=
        (text.size() > 2 ? ",\n" : "") + toolwire::to_json_text(Json(fault)) + ": " + toolwire::to_json_text(object);
  }
  return text + "\n}\n";
}

/// Those that can blame somebody: the others only inform.
std::set<std::string> all_checks() {
  std::set<std::string> all;
  const auto add_id = [&](std::string_view id) {
    const conformance::Requirement* requirement = conformance::find_requirement(id);
    if (requirement == nullptr || requirement->level != conformance::Level::info) all.emplace(id);
  };
  for (const auto& group : conformance::groups()) {
    // They have servers of their own: http_mutants_test, conformance_fuzz_test.
    if (group.name == conformance::http_group || group.name == conformance::fuzz_group) continue;
    for (const auto& check : group.checks) add_id(check.id);
  }
  for (const auto& check : conformance::passive_checks()) add_id(check.id);
  for (std::string_view check : conformance::start_up_checks()) add_id(check);
  return all;
}

Json content_of(const char* file) {
  std::ifstream stream(file, std::ios::binary);
  return toolwire::parse_json(std::string{std::istreambuf_iterator<char>(stream), {}});
}

void shrink_uncovered(const std::vector<Fault>& all) {
  const auto open = uncovered(all);
  std::string text;
  for (const std::string& check : known_uncovered()) {
    if (open.contains(check)) text += (text.empty() ? "\n  \"" : ",\n  \"") + check + "\"";
  }
  std::ofstream(uncovered_file, std::ios::binary) << "[" << text << "\n]\n";
}

}  // namespace

Complaints judge(const Fault& fault, const Judging& judging) {
  std::signal(SIGPIPE, SIG_IGN);  // servers that have ended
  conformance::Target target;
  target.launch.command = {mutant_program, "--fault", fault.name, "--faults", judging.faults};
  if (const Json* page = fault.server.if_contains("page"); page != nullptr && fault.name == "none")
    target.launch.command.insert(target.launch.command.end(), {"--page", toolwire::to_json_text(*page)});
  target.timeout = judging.timeout;
  target.start_timeout = judging.timeout * 4;
  target.patient = !judging.groups.empty();  // what takes a minute runs where it is asked for by name
  conformance::survey(target);
  Complaints complaints;
  for (const auto& finding : conformance::start_up_findings(target, fault.revisions)) add(complaints, finding);
  const conformance::Selection selection{
      .only = {judging.groups.begin(), judging.groups.end()}, .revisions = fault.revisions, .jobs = judging.jobs};
  std::vector<std::unique_ptr<conformance::Session>> looked;
  if (judging.fixtures == Fixtures::by_looking) {
    target.profile = conformance::Profile(meant_to_fail());
    target.profile.forget_official_names();
    looked = conformance::discover(target, conformance::judged_revisions(target, selection));
  }
  for (const auto& finding : conformance::run_checks(target, selection, nullptr, std::move(looked)))
    add(complaints, finding);
  return complaints;
}

std::set<std::string> groups_of(const Fault& fault) {
  std::set<std::string> names(fault.groups.begin(), fault.groups.end());
  for (const std::string& check : fault.fails) {
    const std::string group = group_of(check);
    const bool takes_long = group == "mrtr" || group.starts_with("robustness-");
    names.insert(takes_long ? check : group);
  }
  return names;
}

Complaints within(const Complaints& complaints, const std::set<std::string>& groups) {
  Complaints result;
  for (const auto& [check, word] : complaints) {
    if (groups.contains(check) || groups.contains(group_of(check))) result.emplace(check, word);
  }
  return result;
}

std::string text_of(const Complaints& complaints) {
  std::string text;
  for (const auto& [check, word] : complaints) text += (text.empty() ? "" : ", ") + check + " " + word;
  return text.empty() ? "nothing" : text;
}

std::set<std::string> uncovered(const std::vector<Fault>& all) {
  std::set<std::string> open = all_checks();
  for (const Fault& fault : all) {
    for (const std::string& check : fault.fails) open.erase(check);
  }
  return open;
}

std::set<std::string> known_uncovered() {
  std::set<std::string> known;
  const Json file = content_of(uncovered_file);
  for (const Json& check : file.as_array()) known.emplace(check.as_string());
  return known;
}

Expected read_expected() {
  Expected expected;
  const Json file = content_of(expected_file);
  for (const auto& [fault, checks] : file.as_object()) {
    Complaints& complaints = expected[std::string(fault)];
    for (const auto& [check, word] : checks.as_object()) complaints[std::string(check)] = std::string(word.as_string());
  }
  return expected;
}

void record(const Expected& found, const std::vector<Fault>& all, bool of_all_groups) {
  const int lock = ::open(TOOLWIRE_SOURCE_DIR "/tests/mutants/faults", O_RDONLY | O_CLOEXEC);
  ::flock(lock, LOCK_EX);  // two may be recording
  Expected expected = read_expected();
  std::set<std::string> known;
  for (const Fault& fault : all) {
    known.insert(fault.name);
    auto now = found.find(fault.name);
    if (now == found.end()) continue;
    Complaints& before = expected[fault.name];
    if (of_all_groups || within(before, groups_of(fault)) != now->second) before = now->second;
  }
  std::erase_if(expected, [&](const auto& it) { return !known.contains(it.first); });
  std::ofstream(expected_file, std::ios::binary) << text_of(expected);
  shrink_uncovered(all);
  ::close(lock);
}

void each_fault(const std::vector<Fault>& faults, unsigned threads, const std::function<void(const Fault&)>& look) {
  std::atomic<std::size_t> next{0};
  std::vector<std::jthread> crew;
  for (unsigned i = 0; i < threads; ++i) {
    crew.emplace_back([&] {
      for (std::size_t mine = 0; (mine = next++) < faults.size();) look(faults[mine]);
    });
  }
}

}  // namespace mutants
