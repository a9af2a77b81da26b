// What holds for all processes of one run together. Where the machine gives a control group to no test, only what is
// said and done without one is tested; the others are reported as skipped, with the reason.
#include "system/control_group.hpp"

#define BOOST_TEST_MODULE limits for all processes of a program together
#include <boost/test/unit_test.hpp>

#include <chrono>
#include <string>
#include <thread>

#include "confined_script.hpp"
#include "confinement/report.hpp"
#include "delegated_module.hpp"

namespace {

using namespace toolwire_test;

const std::string fork_bomb = bombs + "print(fork_bomb(), flush=True)";
const std::string memory_bomb = bombs + "print(memory_bomb(), flush=True)";

}  // namespace

BOOST_TEST_GLOBAL_FIXTURE(OwnGroup);

BOOST_AUTO_TEST_CASE(a_bridge_alone_in_a_delegated_group_moves_into_a_leaf, *unit_test::precondition(has_group)) {
  BOOST_TEST(own_group()->delegation().why_not == "");
  BOOST_TEST(own_group()->delegation().folder == own_group()->path());
  BOOST_TEST(content_of(own_group()->path() + "/cgroup.procs") == "");
  BOOST_TEST(content_of(own_group()->path() + "/toolwire-bridge.leaf/cgroup.procs") ==
             std::to_string(::getpid()) + "\n");
}

BOOST_AUTO_TEST_CASE(what_bridges_that_are_gone_left_behind_is_ended, *unit_test::precondition(has_group)) {
  BOOST_TEST(!std::filesystem::exists(own_group()->left_behind()));
  int status = 0;
  BOOST_TEST(::waitpid(own_group()->process_left_behind(), &status, 0) == own_group()->process_left_behind());
  BOOST_TEST((WIFSIGNALED(status) && WTERMSIG(status) == SIGKILL));
}

BOOST_AUTO_TEST_CASE(a_fork_bomb_has_no_more_processes_than_its_limit, *unit_test::precondition(has_group)) {
  const Confinement limited{.limits = {.processes = 10}};
  BOOST_TEST(run({.text = fork_bomb, .kernel = delegated()}).output == "40\n");
  BOOST_TEST(run({.text = fork_bomb, .confinement = limited, .kernel = delegated()}).output == "9\n");
  BOOST_TEST(groups_of_runs() == 0U);
}

BOOST_AUTO_TEST_CASE(the_limit_holds_where_files_and_network_are_refused_too, *unit_test::precondition(has_group)) {
  const ScratchFolder folder;
  Confinement limited{.network = NetworkAccess::none, .limits = {.processes = 5}};
  if (kernel_support().landlock > 0) limited.files = FileAccess::workspace, limited.workspace = {folder.text()};
  const ProcessEnd end = run({.text = fork_bomb, .confinement = limited, .kernel = delegated()});
  BOOST_TEST(end.output == "4\n", end.text + end.errors);
}

BOOST_AUTO_TEST_CASE(memory_is_bounded_for_all_processes_together, *unit_test::precondition(has_group)) {
  const Confinement limited{.limits = {.memory = 256 << 20}};
  BOOST_TEST(run({.text = memory_bomb, .confinement = limited, .kernel = kernel_with_groups("")}).output == "all\n");
  // The system ends the largest of them: one of the six, or all with the program.
  BOOST_TEST(run({.text = memory_bomb, .confinement = limited, .kernel = delegated()}).output != "all\n");
  BOOST_TEST(groups_of_runs() == 0U);
}

BOOST_AUTO_TEST_CASE(a_run_that_is_ended_leaves_no_group, *unit_test::precondition(has_group)) {
  // As root it makes groups itself, and sits in one of them.
  const char* const nest =
      "import os, time\ng = '/sys/fs/cgroup' + [l for l in open('/proc/self/cgroup') if l.startswith('0::')][0][3:-1]\n"
      "os.makedirs(g + '/a/b'); open(g + '/a/b/cgroup.procs', 'w').write('0')\n"
      "if os.fork() == 0: os.setsid()\ntime.sleep(1000)";
  Script script{.text = nest, .confinement = {.limits = {.processes = 10}}, .kernel = delegated()};
  script.time = std::chrono::milliseconds(1500);
  const ProcessEnd end = run(script);
  BOOST_TEST(end.code == "timeout", end.text + end.errors);
  const auto give_up = steady_clock::now() + std::chrono::seconds(30);
  while (groups_of_runs() != 0 && steady_clock::now() < give_up)
    std::this_thread::sleep_for(std::chrono::milliseconds(1));
  BOOST_TEST(groups_of_runs() == 0U);
}

BOOST_AUTO_TEST_CASE(without_a_group_a_limit_of_processes_does_not_start_unless_it_may) {
  KernelSupport none = kernel_with_groups("");
  none.why_no_control_group = "for this reason";
  Script script{.text = "print('ran')", .confinement = {.limits = {.processes = 10}}, .kernel = none};
  const ProcessEnd refused = run(script);
  BOOST_TEST(refused.code == "unavailable");
  BOOST_TEST(refused.text.find("limits.processes: for this reason") != std::string::npos, refused.text);
  script.confinement.may_degrade = true;
  BOOST_TEST(run(script).output == "ran\n");
  script.confinement = {.limits = {.memory = std::uint64_t{1} << 30}};
  BOOST_TEST(run(script).output == "ran\n");
}

BOOST_AUTO_TEST_CASE(a_group_that_cannot_be_made_any_more_stops_the_start_unless_it_may) {
  const ScratchFolder folder;
  for (const std::string& place : {folder.text() + "/none", folder.text()}) {
    Script script{
        .text = "print('ran')", .confinement = {.limits = {.processes = 10}}, .kernel = kernel_with_groups(place)};
    const ProcessEnd refused = run(script);
    BOOST_TEST(refused.code == "unavailable");
    BOOST_TEST(std::filesystem::is_empty(folder.path()));
    script.confinement.may_degrade = true;
    BOOST_TEST(run(script).output == "ran\n");
    BOOST_TEST(std::filesystem::is_empty(folder.path()));
  }
}

BOOST_AUTO_TEST_CASE(only_groups_of_bridges_that_are_gone_are_left_behind) {
  struct stat space {};
  BOOST_REQUIRE(::stat("/proc/self/ns/pid", &space) == 0);
  const std::string here = "toolwire-run." + std::to_string(space.st_ino) + ".";
  const pid_t parent = ::getppid();
  BOOST_TEST(!is_left_behind(here + std::to_string(parent > 0 ? parent : 1) + ".1"));
  BOOST_TEST(is_left_behind(here + std::to_string(::getpid()) + ".1"));  // of one that had our id
  BOOST_TEST(is_left_behind(here + "99999999.1"));
  BOOST_TEST(!is_left_behind("toolwire-run.1.99999999.1"));  // of another namespace
  for (const char* const odd : {"", "x.1", "-1.1", "0.1", "99999999", "99999999999999.1"})
    BOOST_TEST(!is_left_behind(here + odd), odd);
  BOOST_TEST(!is_left_behind("user.slice"));
}
