// Each check can fail: for every one there is a server that is wrong in one way, which that check and those it implies
// complain of, and no others.
#define BOOST_TEST_MODULE mutants_test
#include <boost/test/unit_test.hpp>

#include <algorithm>
#include <functional>
#include <iterator>
#include <mutex>

#include "judging.hpp"

using mutants::Complaints;
using mutants::Fault;

namespace {

constexpr unsigned faults_at_once = 6;

const std::vector<Fault>& all_faults() {
  static const std::vector<Fault> faults = mutants::read_all_faults(MUTANTS_FAULTS);
  return faults;
}

struct Difference {
  Fault fault;
  Complaints found;
};

/// Those the suite says something else of than expected, in the groups they are made for.
std::vector<Difference> differences(const std::vector<Fault>& faults, unsigned threads,
                                    std::chrono::milliseconds timeout) {
  const mutants::Expected expected = mutants::read_expected();
  std::vector<Difference> different;
  std::mutex mutex;
  mutants::each_fault(faults, threads, [&](const Fault& fault) {
    const auto groups = mutants::groups_of(fault);
    const Complaints found = mutants::within(mutants::judge(fault, {.groups = groups, .timeout = timeout}), groups);
    auto wanted = expected.find(fault.name);
    std::lock_guard lock(mutex);
    if (wanted == expected.end() || mutants::within(wanted->second, groups) != found)
      different.push_back({fault, found});
  });
  return different;
}

std::vector<Fault> faults_of(const std::vector<Difference>& differences) {
  std::vector<Fault> faults;
  faults.reserve(differences.size());
  for (const Difference& it : differences) faults.push_back(it.fault);
  return faults;
}

/// Those that no check they are made for complains of, where the names of tools say nothing.
std::vector<Fault> untold(const std::vector<Fault>& faults, unsigned threads, std::chrono::milliseconds timeout) {
  std::vector<Fault> left;
  std::mutex mutex;
  mutants::each_fault(faults, threads, [&](const Fault& fault) {
    const Complaints found = mutants::judge(
        fault, {.groups = mutants::groups_of(fault), .timeout = timeout, .fixtures = mutants::Fixtures::by_looking});
    const bool told = std::ranges::any_of(fault.fails, [&](const std::string& it) { return found.contains(it); });
    std::lock_guard lock(mutex);
    if (!told) left.push_back(fault);
  });
  return left;
}

}  // namespace

/// On a busy machine an answer can come too late: what differs is judged once more, alone and with more patience.
BOOST_AUTO_TEST_CASE(each_fault_is_told_by_exactly_the_checks_expected) {
  using namespace std::chrono_literals;
  const auto doubtful = faults_of(differences(all_faults(), faults_at_once, 1500ms));
  for (const Difference& it : differences(doubtful, 1, 5s))
    BOOST_ERROR(it.fault.name << ", which " << it.fault.does << ": found " << mutants::text_of(it.found));
}

/// Whatever its tools are called: one fault for each thing that is looked for in another way. Looking has ten seconds,
/// so that what a busy machine keeps from being found is looked for once more, alone.
BOOST_AUTO_TEST_CASE(faults_of_strangers_are_told_by_looking) {
  using namespace std::chrono_literals;
  const std::set<std::string> names{"completion/total-too-small",
                                    "json-schema/takes-anything",
                                    "legacy-server-requests/roots-refused",
                                    "legacy-server-requests/tool-use-unanswered",
                                    "mrtr/questions-in-complete",
                                    "mrtr/state-object",
                                    "resources/text-number",
                                    "resources/updates-unasked",
                                    "robustness-input/int-as-double",
                                    "stdio-framing/headers",
                                    "stdio-framing/prints-to-output",
                                    "tasks-2025-11-25/other-token",
                                    "tasks-2025-11-25/tool-error-as-completed",
                                    "tasks-extension/failed-without-error",
                                    "tasks-extension/not-advertised",
                                    "tasks-extension/required-without-code",
                                    "tasks-extension/second-update-lost",
                                    "tools/content-object",
                                    "tools/silent-change"};
  std::vector<Fault> faults;
  std::ranges::copy_if(all_faults(), std::back_inserter(faults),
                       [&](const Fault& it) { return names.contains(it.name); });
  BOOST_TEST(faults.size() == names.size());
  for (const Fault& fault : untold(untold(faults, 3, 1500ms), 1, 5s))
    BOOST_ERROR(fault.name << ", which " << fault.does << ": nobody complains of a stranger's server that does");
}

BOOST_AUTO_TEST_CASE(what_is_expected_contains_what_each_fault_is_made_for_and_nothing_else_is_expected) {
  const mutants::Expected expected = mutants::read_expected();
  BOOST_TEST(expected.size() == all_faults().size());
  for (const Fault& fault : all_faults()) {
    auto found = expected.find(fault.name);
    BOOST_TEST_REQUIRE((found != expected.end()), fault.name << " was never recorded");
    BOOST_TEST(!fault.fails.empty(), fault.name);
    for (const std::string& check : fault.fails) BOOST_TEST(found->second.contains(check), fault.name << " " << check);
  }
}

BOOST_AUTO_TEST_CASE(every_check_can_fail) {
  const auto open = mutants::uncovered(all_faults());
  const auto known = mutants::known_uncovered();
  for (const std::string& check : open) BOOST_TEST(known.contains(check), "no fault makes " << check << " fail");
  for (const std::string& check : known) BOOST_TEST(open.contains(check), check << " is not uncovered any more");
}

/// The server `everything` itself is judged elsewhere; this is it behind the filter that makes faults.
BOOST_AUTO_TEST_CASE(the_server_without_a_fault_is_told_nothing) {
  const Fault none{.name = "none", .revisions = {"2024-11-05", "2025-11-25", "2026-07-28"}};
  const std::set<std::string> cheap{"batching",        "caching",  "jsonrpc-base",  "lifecycle-legacy",
                                    "modern-metadata", "ping",     "pagination",    "prompts",
                                    "resources",       "shutdown", "stdio-framing", "tools"};
  const mutants::Judging judging{.groups = cheap, .timeout = std::chrono::seconds(5)};
  BOOST_TEST(mutants::text_of(mutants::judge(none, judging)) == "nothing");
  const Fault pages{.name = "none", .revisions = {"2025-11-25", "2026-07-28"}, .server = {{"page", 3}}};
  BOOST_TEST(mutants::text_of(mutants::judge(pages, judging)) == "nothing");
}
