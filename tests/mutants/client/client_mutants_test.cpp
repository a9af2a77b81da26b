// The checks of hosts against a client that is right, with each of its faults, and against the framework's own.
#include <toolwire/child_process.hpp>
#include <toolwire/json.hpp>

#define BOOST_TEST_MODULE client_mutants_test
#include <boost/test/unit_test.hpp>

#include <atomic>
#include <fstream>
#include <map>
#include <set>
#include <string>
#include <thread>
#include <vector>

#include "client/check.hpp"
#include "conformance_run.hpp"
#include "driver/message.hpp"
#include "scratch_folder.hpp"

using namespace toolwire;
using toolwire::conformance::get;
using toolwire::conformance::text_of;
using toolwire_test::ConformanceRun;

namespace {

using Words = std::vector<std::string>;

struct Fault {
  std::string name, revision;
  Words options = {}, fails = {};
};

Words words_in(const Json& list) {
  Words words;
  for (const Json& word : list.as_array()) words.emplace_back(text_of(word));
  return words;
}

std::vector<Fault> all_faults() {
  std::vector<Fault> all;
  std::ifstream stream(JUDGED_FAULTS);
  for (std::string line; std::getline(stream, line);) {
    const Json row = parse_json(line);
    all.push_back({.name = std::string(text_of(get(row, "fault"))),
                   .revision = std::string(text_of(get(row, "revision"))),
                   .options = words_in(get(row, "options")),
                   .fails = words_in(get(row, "fails"))});
  }
  return all;
}

std::string joined(const Words& words) {
  std::string text;
  for (const std::string& word : words) text += (text.empty() ? "" : ",") + word;
  return text;
}

/// Where the words of a call stand.
class Profile {
 public:
  explicit Profile(const std::string& words) : file_((folder_.path() / "profile.json").string()) {
    std::ofstream(file_) << "{\"call\": [" << words << "]}";
  }
  const std::string& file() const { return file_; }

 private:
  toolwire_test::ScratchFolder folder_;
  std::string file_;
};

const std::string& call_profile() {
  static const Profile profile(R"("--call", "{tool}", "{arguments}")");
  return profile.file();
}

ConformanceRun judged(const Words& options, const Words& host) {
  Words all{"client", "--json", "-"};
  all.insert(all.end(), options.begin(), options.end());
  all.emplace_back("--");
  all.insert(all.end(), host.begin(), host.end());
  return toolwire_test::conformance(all);
}

/// Most of the time is waiting; what a busy machine makes fail is played again alone.
Words side_by_side(const std::string& profile) {
  return {"--timeout", "3", "--watch", "4", "--jobs", "6", "--profile", profile};
}

Words judged_client(const Words& options) {
  Words host{JUDGED_CLIENT};
  host.insert(host.end(), options.begin(), options.end());
  for (const char* word : {"{call}", "--", "{server}"}) host.emplace_back(word);
  return host;
}

/// The verdicts of all checks of a run, the worst of all revisions; empty if there is no report.
std::map<std::string, std::string> verdicts_of(const ConformanceRun& run) {
  static const std::map<std::string_view, int> badness{{"SKIP", 0}, {"PASS", 1}, {"INFO", 2}, {"WARN", 3}, {"FAIL", 4}};
  std::map<std::string, std::string> verdicts;
  if (run.out.empty()) return verdicts;
  const Json report = run.json();
  for (const Json& check : get(report, "checks").as_array()) {
    const std::string verdict(text_of(get(check, "verdict")));
    std::string& worst = verdicts[std::string(text_of(get(check, "id")))];
    if (worst.empty() || badness.at(verdict) > badness.at(worst)) worst = verdict;
  }
  return verdicts;
}

/// Those of the fault's checks that do not complain of it, with what they say.
std::string missed(const Fault& fault) {
  Words host{"--fault", fault.name};
  host.insert(host.end(), fault.options.begin(), fault.options.end());
  const ConformanceRun run = judged({"--timeout", "1", "--watch", "2", "--jobs", "1", "--profile", call_profile(),
                                     "--only", joined(fault.fails), "--revision", fault.revision},
                                    judged_client(host));
  const auto verdicts = verdicts_of(run);
  std::string text;
  for (const std::string& check : fault.fails) {
    const auto found = verdicts.find(check);
    const std::string verdict = found == verdicts.end() ? "nothing" : found->second;
    if (verdict != "FAIL" && verdict != "WARN" && verdict != "INFO") text += check + " says " + verdict + "; ";
  }
  if (verdicts.empty()) text += run.errors;
  return text;
}

/// Several at a time, as most of their time is waiting.
std::vector<std::string> all_missed(const std::vector<Fault>& faults) {
  std::vector<std::string> texts(faults.size());
  std::atomic<std::size_t> next{0};
  constexpr std::size_t at_a_time = 8;
  std::vector<std::jthread> threads;
  threads.reserve(at_a_time);
  for (std::size_t i = 0; i < at_a_time; ++i) {
    threads.emplace_back([&] {
      for (std::size_t mine = 0; (mine = next++) < faults.size();) texts[mine] = missed(faults[mine]);
    });
  }
  threads.clear();
  for (std::size_t i = 0; i < faults.size(); ++i) {  // nobody misses a fault for a busy machine
    if (!texts[i].empty()) texts[i] = missed(faults[i]);
  }
  return texts;
}

/// But for the notes on one check, of what is meant to be so.
std::string complaints(const ConformanceRun& run, std::string_view noted = {}) {
  if (run.out.empty()) return run.errors;
  const Json report = run.json();
  std::string text;
  for (const Json& check : get(report, "checks").as_array()) {
    const std::string_view verdict = text_of(get(check, "verdict"));
    if (verdict == "PASS" || verdict == "SKIP") continue;
    if (verdict == "INFO" && text_of(get(check, "id")) == noted) continue;
    text += "\n" + std::string(text_of(get(check, "revision"))) + " " + std::string(text_of(get(check, "id"))) +
            ": expected " + std::string(text_of(get(check, "expected"))) + ", got " +
            std::string(text_of(get(check, "got"))) + std::string(text_of(get(check, "transcript")));
  }
  return text;
}

std::set<std::string> passed_by(const ConformanceRun& run) {
  std::set<std::string> passed;
  for (const auto& [check, verdict] : verdicts_of(run)) {
    if (verdict == "PASS") passed.insert(check);
  }
  return passed;
}

}  // namespace

BOOST_AUTO_TEST_CASE(every_check_of_hosts_has_a_fault) {
  std::set<std::string> covered;
  for (const Fault& fault : all_faults()) covered.insert(fault.fails.begin(), fault.fails.end());
  const auto& checks = conformance::host_checks();
  BOOST_TEST(checks.size() >= 80U);
  for (const auto& check : checks) BOOST_TEST(covered.erase(std::string(check.id)) == 1U, check.id);
  for (const std::string& unknown : covered) BOOST_ERROR(unknown << " is no check");
}

BOOST_AUTO_TEST_CASE(every_fault_is_told) {
  const auto faults = all_faults();
  const auto texts = all_missed(faults);
  for (std::size_t i = 0; i < faults.size(); ++i) BOOST_TEST(texts[i].empty(), faults[i].name << ": " << texts[i]);
}

BOOST_AUTO_TEST_CASE(nobody_complains_of_a_correct_client_and_every_check_can_pass) {
  std::set<std::string> passed;
  for (const Words& options :
       {Words{}, Words{"--declare"}, Words{"--dual"}, Words{"--modern", "--declare", "--listen"}}) {
    const ConformanceRun run = judged(side_by_side(call_profile()), judged_client(options));
    BOOST_TEST(complaints(run) == "");
    BOOST_TEST(run.status == 0);
    passed.merge(passed_by(run));
  }
  for (const auto& check : conformance::host_checks())
    BOOST_TEST(passed.contains(std::string(check.id)), check.id << " never passes");
}

BOOST_AUTO_TEST_CASE(without_a_profile_calls_are_not_judged_and_the_rest_is) {
  const ConformanceRun run =
      judged({"--only", "client-tool-error-shown,client-foreign-line", "--revision", "2025-11-25"},
             {JUDGED_CLIENT, "--", "{server}"});
  auto verdicts = verdicts_of(run);
  BOOST_TEST(verdicts["client-tool-error-shown"] == "SKIP");
  BOOST_TEST(verdicts["client-foreign-line"] == "PASS");
}

BOOST_AUTO_TEST_CASE(nobody_complains_of_the_own_client) {
  static const Profile profile(R"("{tool}", "{arguments}")");
  const ConformanceRun run = judged(side_by_side(profile.file()), {OWN_CLIENT, "{call}", "--", "{server}"});
  BOOST_TEST(complaints(run, "client-id-type-not-taken") == "");  // it takes "7" for 7, as most do
  BOOST_TEST(passed_by(run).size() >= 100U);
}

BOOST_AUTO_TEST_CASE(a_host_that_ends_its_server_has_ended_the_request_without_cancelling) {
  const ConformanceRun run = judged({"--timeout", "1", "--watch", "2", "--profile", call_profile(), "--only",
                                     "client-timeout-cancels", "--revision", "2025-11-25"},
                                    judged_client({"--fault", "ends-in-place-of-cancelling"}));
  BOOST_TEST(verdicts_of(run)["client-timeout-cancels"] == "SKIP", run.out);
  BOOST_TEST(run.says("or ended its server, and the request with it, without a word"), run.out);
}

BOOST_AUTO_TEST_CASE(a_host_that_starts_no_server_is_an_error_of_the_command_line) {
  const ConformanceRun run = judged({"--start-timeout", "0.5"}, {"/bin/echo", "hello"});
  BOOST_TEST(run.status == 2);
  BOOST_TEST(run.says("{server}"));
}
