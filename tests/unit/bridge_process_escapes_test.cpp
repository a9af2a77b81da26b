// What programs take along and leave behind: descendants, descriptors, terminals, memory.
#include "process/runner.hpp"

#define BOOST_TEST_MODULE bridge_process_escapes
#include <boost/test/unit_test.hpp>

#include <algorithm>
#include <filesystem>
#include <vector>

#include "process_bench.hpp"

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
  ProcessRunner runner;
  ProcessRequest request = shell("i=0; while [ $i -lt 60 ]; do setsid sh -c 'trap \"\" TERM; echo $$ >> " +
                                 (folder / "ids").string() + "; sleep 1000 & wait' & i=$((i+1)); done; wait");
  request.grace = std::chrono::milliseconds(20);
  Ends ends;
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
      return content_of(entry.path() / "cmdline").find(script) != std::string::npos;
    });
  };
  folder.file("again", "echo >> " + script + ".count\nsetsid sh " + script + " &\n");
  ProcessRunner runner;
  ProcessRequest request = shell("sh " + script + "; sleep 1000");
  request.grace = std::chrono::milliseconds(20);
  Ends ends;
  std::stop_source stop;
  runner.start(request, stop.get_token(), ends.taker());
  BOOST_REQUIRE(eventually([&] { return content_of(script + ".count").size() >= 30; }));
  BOOST_TEST(runs());
  stop.request_stop();
  BOOST_TEST(ends.wait_for(1));
  BOOST_TEST(eventually([&] { return !runs(); }));
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
