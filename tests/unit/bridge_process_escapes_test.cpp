// What programs take along and leave behind: descendants, descriptors, terminals, memory.
#include "process/runner.hpp"

#define BOOST_TEST_MODULE bridge_process_escapes
#include <boost/test/unit_test.hpp>

#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <filesystem>
#include <ios>
#include <vector>

#include "process_bench.hpp"
#include "system/orphans.hpp"

using namespace toolwire_test;

BOOST_AUTO_TEST_CASE(a_grandchild_that_holds_the_streams_does_not_hold_the_call) {
  const ScratchFolder folder;
  ProcessRunner runner;
  const ProcessEnd end = runner.run(shell("sleep 1000 & echo $! > " + (folder / "id").string() + "; echo done"));
  BOOST_TEST(end.output == "done\n");
  BOOST_TEST(is_gone(id_in(folder / "id")));
}

BOOST_AUTO_TEST_CASE(a_grandchild_that_forks_twice_and_leaves_the_session_is_ended_too) {
  const ScratchFolder folder;
  ProcessRunner runner;
  const std::string daemon = "setsid sh -c '(setsid sh -c \"echo \\$\\$ > " + (folder / "new").string() + "; mv " +
                             (folder / "new").string() + " " + (folder / "id").string() +
                             "; exec sleep 1000\" &) ; exit 0' &\n";
  const ProcessEnd end =
      runner.run(shell(daemon + "while ! [ -e " + (folder / "id").string() + " ]; do :; done; echo up"));
  BOOST_TEST(end.output == "up\n");
  BOOST_TEST(is_gone(id_in(folder / "id")));
}

BOOST_AUTO_TEST_CASE(many_processes_that_left_their_session_are_ended_with_their_call) {
  const ScratchFolder folder;
  Ends ends;
  ProcessRunner runner;
  ProcessRequest request = shell("i=0; while [ $i -lt 60 ]; do setsid sh -c 'trap \"\" TERM; echo $$ >> " +
                                 (folder / "ids").string() + "; sleep 1000 & wait' & i=$((i+1)); done; wait");
  request.grace = std::chrono::milliseconds(20);
  std::stop_source stop;
  runner.start(request, stop.get_token(), ends.taker());
  const auto lines = [&] {
    const std::string ids = content_of(folder / "ids");
    return std::count(ids.begin(), ids.end(), '\n');
  };
  BOOST_REQUIRE(eventually([&] { return lines() == 60; }));
  stop.request_stop();
  std::ifstream ids(folder / "ids");
  for (pid_t id = 0; ids >> id;) BOOST_TEST(eventually([&] { return is_gone(id); }));
  BOOST_TEST(ends.wait_for(1));
}

BOOST_AUTO_TEST_CASE(processes_that_fork_without_end_are_ended_with_their_call) {
  const ScratchFolder folder;
  const std::string script = (folder / "again").string();
  const auto runs = [&] {
    return std::ranges::any_of(std::filesystem::directory_iterator("/proc"), [&](const auto& entry) {
      try {
        return content_of(entry.path() / "cmdline").find(script) != std::string::npos;
      } catch (const std::ios_base::failure&) {  // a process that has ended meanwhile
        return false;
      }
    });
  };
  folder.file("again", "echo >> " + script + ".count\nsetsid sh " + script + " &\n");
  Ends ends;
  ProcessRunner runner;
  ProcessRequest request = shell("sh " + script + "; sleep 1000");
  request.grace = std::chrono::milliseconds(20);
  std::stop_source stop;
  runner.start(request, stop.get_token(), ends.taker());
  BOOST_REQUIRE(eventually([&] { return content_of(script + ".count").size() >= 30; }));
  BOOST_TEST(runs());
  stop.request_stop();
  BOOST_TEST(ends.wait_for(1));
  BOOST_TEST(eventually([&] { return !runs(); }));
}

BOOST_AUTO_TEST_CASE(programs_that_stop_their_keepers_hold_neither_their_places_nor_the_end) {
  const ScratchFolder folder;
  Ends ends;
  std::stop_source stop;
  {
    ProcessRunner runner({.max_running = 2});
    for (int i = 0; i < 6; ++i) {
      ProcessRequest request = shell("echo $$ >> " + (folder / "ids").string() + "; kill -STOP $PPID; sleep 1000");
      request.grace = std::chrono::milliseconds(20);
      runner.start(request, i < 4 ? stop.get_token() : std::stop_token(), ends.taker());
    }
    const auto begun = [&] {
      const std::string ids = content_of(folder / "ids");
      return std::count(ids.begin(), ids.end(), '\n');
    };
    BOOST_REQUIRE(eventually([&] { return begun() == 2; }));
    stop.request_stop();
    BOOST_REQUIRE(eventually([&] { return begun() == 4; }));
  }
  BOOST_TEST(ends.all().size() == 6U);
  std::ifstream ids(folder / "ids");
  for (pid_t id = 0; ids >> id;) BOOST_TEST(eventually([&] { return is_gone(id); }));
}

BOOST_AUTO_TEST_CASE(the_end_of_a_program_that_stopped_its_keeper_is_seen) {
  ProcessRunner runner;
  ProcessRequest request = shell("kill -STOP $PPID; echo done");
  request.deadline.reset();
  BOOST_TEST(runner.run(request).output == "done\n");
}

BOOST_AUTO_TEST_CASE(a_stopped_program_is_asked_to_end) {
  const ScratchFolder folder;
  const std::string asked = (folder / "asked").string(), up = (folder / "up").string();
  Ends ends;
  ProcessRunner runner;
  std::stop_source stop;
  runner.start(shell("trap 'echo > " + asked + "; exit' TERM; echo > " + up + "; kill -STOP $$"), stop.get_token(),
               ends.taker());
  BOOST_REQUIRE(eventually([&] { return std::filesystem::exists(up); }));
  stop.request_stop();
  BOOST_TEST(eventually([&] { return std::filesystem::exists(asked); }));
}

// What is in a session of its own is not killed with the program whose parent has died.
BOOST_AUTO_TEST_CASE(nothing_is_left_by_a_program_that_kills_its_keeper) {
  adopt_orphans();
  const ScratchFolder folder;
  const std::string id = (folder / "id").string();
  ProcessRunner runner;
  const ProcessEnd end =
      runner.run(shell("setsid sh -c 'setsid sleep 1000 & echo $! > " + id + ".new; mv " + id + ".new " + id +
                       "; sleep 1000' & while ! [ -e " + id + " ]; do :; done; kill -9 $PPID; sleep 1000"));
  BOOST_TEST(end.status.signal == SIGKILL);
  BOOST_TEST(is_gone(id_in(id)));
  BOOST_TEST(content_of("/proc/thread-self/children") == "");
}

// A start under way and what was started are no orphans.
BOOST_AUTO_TEST_CASE(other_programs_go_on_when_one_kills_its_keeper) {
  adopt_orphans();
  Ends ends;
  ProcessRunner runner;
  for (int i = 0; i < 40; ++i)
    runner.start(shell(i % 2 == 0 ? "kill -9 $PPID; sleep 1000" : "echo well"), {}, ends.taker());
  BOOST_REQUIRE(ends.wait_for(40));
  const std::vector<ProcessEnd> all = ends.all();
  BOOST_TEST(std::ranges::count(all, "well\n", &ProcessEnd::output) == 20);
}

BOOST_AUTO_TEST_CASE(a_stopped_keeper_ends_its_program_when_the_bridge_is_killed) {
  const ScratchFolder folder;
  const std::filesystem::path id = folder / "id";
  const pid_t bridge = ::fork();
  if (bridge == 0) {
    Ends ends;
    ProcessRunner runner;
    runner.start(shell("kill -STOP $PPID; echo $$ > " + id.string() + ".new; mv " + id.string() + ".new " +
                       id.string() + "; sleep 1000"),
                 {}, ends.taker());
    eventually([&] { return std::filesystem::exists(id); });
    ::raise(SIGKILL);
  }
  // Collected here, or with the orphans that a case before this one has adopted.
  BOOST_TEST(eventually([&] { return ::waitpid(bridge, nullptr, WNOHANG) != 0 && is_gone(bridge); }));
  BOOST_TEST(eventually([&] { return is_gone(id_in(id)); }));
}

BOOST_AUTO_TEST_CASE(closing_the_runner_leaves_nothing_running) {
  const ScratchFolder folder;
  Ends ends;
  {
    ProcessRunner runner;
    for (int i = 0; i < 5; ++i)
      runner.start(shell("trap '' TERM; echo $$ > " + (folder / std::to_string(i)).string() + "; sleep 1000 & wait"),
                   {}, ends.taker());
    for (int i = 0; i < 5; ++i)
      BOOST_REQUIRE(eventually([&] { return !content_of(folder / std::to_string(i)).empty(); }));
  }
  BOOST_TEST(ends.all().size() == 5U);
  for (int i = 0; i < 5; ++i) BOOST_TEST(is_gone(id_in(folder / std::to_string(i))));
}

BOOST_AUTO_TEST_CASE(a_program_inherits_no_descriptor) {
  const ScratchFolder folder;
  std::ifstream open_here(folder.file("secret", "hunter2"));
  ProcessRunner runner;
  const std::string listed = runner.run(shell(open_descriptors())).output;
  for (const char* number : {"3\n", "4\n", "5\n", "6\n", "7\n", "8\n", "9\n"})
    BOOST_TEST(listed.find(number) == std::string::npos, listed);
}

BOOST_AUTO_TEST_CASE(a_program_starts_with_no_blocked_and_no_ignored_signals) {
  ProcessRunner runner;
  const ProcessEnd end = runner.run(shell("grep -E '^Sig(Blk|Ign)' /proc/self/status"));
  BOOST_TEST(end.output == "SigBlk:\t0000000000000000\nSigIgn:\t0000000000000000\n");
}

BOOST_AUTO_TEST_CASE(a_program_has_no_terminal_to_ask_on) {
  ProcessRunner runner;
  BOOST_TEST(runner.run(shell("if (: < /dev/tty) 2>/dev/null; then echo terminal; else echo none; fi")).output ==
             "none\n");
}

BOOST_AUTO_TEST_CASE(limits_of_memory_and_time_hold) {
  ProcessRunner runner;
  ProcessRequest request = shell("exec head -c 1000000000 /dev/zero | tail -c 1000000000 | wc -c");
  request.start.confinement.limits.memory = 64 << 20;
  BOOST_TEST(runner.run(request).output != "1000000000\n");
  request = shell("while :; do :; done");
  request.start.confinement.limits.cpu_seconds = 1;
  BOOST_TEST(runner.run(request).status.signal != 0);
}
