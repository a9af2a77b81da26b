#include "activities/process_runner.hpp"

#define BOOST_TEST_MODULE bridge_process_runner
#include <boost/test/unit_test.hpp>

#include <signal.h>

#include <algorithm>
#include <cerrno>
#include <condition_variable>
#include <filesystem>
#include <fstream>
#include <memory>
#include <mutex>
#include <thread>
#include <vector>

#include "scratch_folder.hpp"

namespace {

using namespace toolwire::bridge;
using std::chrono::steady_clock;
using toolwire_test::ScratchFolder;

ProcessRequest shell(const std::string& text) {
  ProcessRequest request;
  request.start.command = {"sh", "-c", text};
  request.start.environment = {{"PATH", "/usr/bin:/bin"}};
  request.deadline = steady_clock::now() + std::chrono::seconds(60);
  return request;
}

/// Collects the ends of many runs.
class Ends {
 public:
  ProcessRunner::Callback taker() {
    return [this](ProcessEnd&& end) {
      const std::lock_guard lock(mutex_);
      ends_.push_back(std::move(end));
      changed_.notify_all();
    };
  }
  bool wait_for(std::size_t count) {
    std::unique_lock lock(mutex_);
    return changed_.wait_for(lock, std::chrono::seconds(60), [&] { return ends_.size() >= count; });
  }
  std::vector<ProcessEnd> all() {
    const std::lock_guard lock(mutex_);
    return ends_;
  }

 private:
  std::mutex mutex_;
  std::condition_variable changed_;
  std::vector<ProcessEnd> ends_;
};

/// Waits for what another process does; a condition, not a time, decides.
template <class Condition>
bool eventually(Condition condition) {
  const auto limit = steady_clock::now() + std::chrono::seconds(30);
  while (!condition()) {
    if (steady_clock::now() > limit) return false;
    std::this_thread::yield();
  }
  return true;
}

std::string content_of(const std::filesystem::path& file) {
  std::ifstream stream(file);
  return {std::istreambuf_iterator<char>(stream), std::istreambuf_iterator<char>()};
}

pid_t id_in(const std::filesystem::path& file) { return static_cast<pid_t>(std::stol(content_of(file))); }

bool is_gone(pid_t id) { return ::kill(id, 0) != 0 && errno == ESRCH; }

std::size_t thread_count() {
  const std::filesystem::directory_iterator tasks("/proc/self/task");
  return static_cast<std::size_t>(std::distance(begin(tasks), end(tasks)));
}

/// Lists the descriptors of the shell, as another process sees them.
std::string open_descriptors() { return "ls /proc/$$/fd"; }

}  // namespace

BOOST_AUTO_TEST_CASE(a_program_gives_its_output_its_errors_and_its_status) {
  ProcessRunner runner;
  const ProcessEnd end = runner.run(shell("echo out; echo err >&2; exit 3"));
  BOOST_TEST(end.code == "");
  BOOST_TEST(end.output == "out\n");
  BOOST_TEST(end.errors == "err\n");
  BOOST_TEST(end.status.code == 3);
}

BOOST_AUTO_TEST_CASE(a_program_killed_by_a_signal_says_which) {
  ProcessRunner runner;
  BOOST_TEST(runner.run(shell("kill -SEGV $$")).status.signal == SIGSEGV);
}

BOOST_AUTO_TEST_CASE(input_is_written_and_ended) {
  ProcessRunner runner;
  ProcessRequest request = shell("cat");
  request.input = std::string(1 << 20, 'x') + "end";
  const ProcessEnd end = runner.run(request);
  BOOST_TEST((end.output == *request.input));
}

BOOST_AUTO_TEST_CASE(a_program_that_does_not_read_its_input_is_no_problem) {
  ProcessRunner runner;
  ProcessRequest request = shell("exec 0<&-; echo done");
  request.input = std::string(1 << 20, 'x');
  BOOST_TEST(runner.run(request).output == "done\n");
}

BOOST_AUTO_TEST_CASE(without_input_a_program_reads_nothing) {
  ProcessRunner runner;
  BOOST_TEST(runner.run(shell("cat; readlink /proc/self/fd/0")).output == "/dev/null\n");
}

BOOST_AUTO_TEST_CASE(a_program_that_is_not_there_is_unavailable) {
  ProcessRunner runner;
  ProcessRequest request = shell("");
  request.start.command = {"no-such-program", "hunter2"};
  const ProcessEnd end = runner.run(request);
  BOOST_TEST(end.code == "unavailable");
  BOOST_TEST(end.text.find("no-such-program") != std::string::npos, end.text);
  BOOST_TEST(end.text.find("hunter2") == std::string::npos, end.text);
  request.start.command = {"/no/such/program"};
  BOOST_TEST(runner.run(request).code == "unavailable");
  request = shell("true");
  request.start.directory = "/no/such/folder";
  BOOST_TEST(runner.run(request).text.find("its directory") != std::string::npos);
}

BOOST_AUTO_TEST_CASE(a_program_in_the_working_directory_is_not_found_by_a_bare_name) {
  const ScratchFolder folder;
  folder.file("evil", "#!/bin/sh\necho evil\n");
  std::filesystem::permissions(folder / "evil", std::filesystem::perms::owner_all);
  ProcessRunner runner;
  ProcessRequest request = shell("");
  request.start.directory = folder.text();
  request.start.environment["PATH"] = ".::relative";
  request.start.command = {"evil"};
  BOOST_TEST(runner.run(request).code == "unavailable");
}

BOOST_AUTO_TEST_CASE(lines_of_errors_are_passed_on_as_they_come) {
  ProcessRunner runner;
  std::vector<std::string> lines;
  ProcessRequest request = shell("printf 'one\\n\\ntwo\\nrest' >&2");
  request.on_error_line = [&](std::string_view line) { lines.emplace_back(line); };
  runner.run(request);
  BOOST_TEST(lines == (std::vector<std::string>{"one", "", "two", "rest"}), boost::test_tools::per_element());
}

BOOST_AUTO_TEST_CASE(of_endless_errors_the_end_is_kept) {
  ProcessRunner runner;
  ProcessRequest request = shell("i=0; while [ $i -lt 3000 ]; do echo line $i >&2; i=$((i+1)); done");
  request.kept_errors = 100;
  const ProcessEnd end = runner.run(request);
  BOOST_TEST(end.errors.size() <= 100U);
  BOOST_TEST(end.errors.starts_with("line "), end.errors);
  BOOST_TEST(end.errors.ends_with("line 2999\n"), end.errors);
}

BOOST_AUTO_TEST_CASE(endless_output_ends_the_program) {
  const ScratchFolder folder;
  ProcessRunner runner;
  ProcessRequest request = shell("echo $$ > " + (folder / "id").string() + "; exec yes");
  request.output_limit = 1 << 20;
  const ProcessEnd end = runner.run(request);
  BOOST_TEST(end.code == "too_large");
  BOOST_TEST(end.text.find("1048576 bytes") != std::string::npos);
  BOOST_TEST(eventually([&] { return is_gone(id_in(folder / "id")); }));
}

BOOST_AUTO_TEST_CASE(output_of_exactly_the_limit_is_taken) {
  ProcessRunner runner;
  ProcessRequest request = shell("printf 12345");
  request.output_limit = 5;
  BOOST_TEST(runner.run(request).output == "12345");
  request.output_limit = 4;
  BOOST_TEST(runner.run(request).code == "too_large");
}

BOOST_AUTO_TEST_CASE(a_deadline_ends_the_program_first_politely) {
  const ScratchFolder folder;
  ProcessRunner runner;
  ProcessRequest request = shell("trap 'echo polite > " + (folder / "how").string() + "; exit 0' TERM; touch " +
                                 (folder / "up").string() + "; while :; do sleep 0.01; done");
  request.deadline = steady_clock::now() + std::chrono::milliseconds(1500);
  BOOST_TEST(runner.run(request).code == "timeout");
  BOOST_TEST(eventually([&] { return content_of(folder / "how") == "polite\n"; }));
}

BOOST_AUTO_TEST_CASE(a_program_that_ignores_the_request_to_end_is_killed) {
  const ScratchFolder folder;
  ProcessRunner runner;
  ProcessRequest request = shell("trap '' TERM; echo $$ > " + (folder / "id").string() + "; while :; do sleep 1; done");
  request.grace = std::chrono::milliseconds(20);
  Ends ends;
  std::stop_source stop;
  runner.start(request, stop.get_token(), ends.taker());
  BOOST_REQUIRE(eventually([&] { return !content_of(folder / "id").empty(); }));
  const pid_t id = id_in(folder / "id");
  stop.request_stop();
  BOOST_REQUIRE(ends.wait_for(1));
  BOOST_TEST(ends.all().at(0).code == "cancelled");
  BOOST_TEST(eventually([&] { return is_gone(id); }));
}

BOOST_AUTO_TEST_CASE(a_request_stopped_before_its_turn_is_never_run) {
  const ScratchFolder folder;
  ProcessRunner runner;
  std::stop_source stop;
  stop.request_stop();
  BOOST_TEST(runner.run(shell("touch " + (folder / "ran").string()), stop.get_token()).code == "cancelled");
  BOOST_TEST(runner.run(shell("true")).code == "");
  BOOST_TEST(!std::filesystem::exists(folder / "ran"));
}

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

BOOST_AUTO_TEST_CASE(many_processes_that_left_their_session_are_ended_at_the_deadline) {
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

BOOST_AUTO_TEST_CASE(processes_that_fork_without_end_are_ended_at_the_deadline) {
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

BOOST_AUTO_TEST_CASE(a_closed_runner_answers_what_runs_and_what_comes_later_with_cancelled) {
  Ends ends;
  auto runner = std::make_shared<ProcessRunner>();
  const std::weak_ptr<ProcessRunner> watched = runner;
  runner->start(shell("exec sleep 1000"), {}, [runner, taker = ends.taker()](ProcessEnd&& end) mutable {
    runner.reset();
    taker(std::move(end));
  });
  runner->close();
  runner->start(shell("true"), {}, ends.taker());
  const auto all = ends.all();
  BOOST_REQUIRE(all.size() == 2U);
  for (const ProcessEnd& end : all) BOOST_TEST(end.code == "cancelled");
  runner.reset();
  BOOST_TEST(watched.expired());
}

BOOST_AUTO_TEST_CASE(five_hundred_slow_programs_hold_no_threads) {
  const ScratchFolder folder;
  Ends ends;
  ProcessRunner runner({.most_running = 100});
  const std::size_t before = thread_count();
  const std::string gate = (folder / "gate").string();
  for (int i = 0; i < 500; ++i)
    runner.start(
        shell("echo x >> " + (folder / "up").string() + "; until [ -e " + gate + " ]; do sleep 0.05; done; echo ok"),
        {}, ends.taker());
  BOOST_TEST(eventually([&] { return content_of(folder / "up").size() >= 200; }));
  BOOST_TEST(thread_count() <= before);
  folder.file("gate");
  BOOST_REQUIRE(ends.wait_for(500));
  for (const ProcessEnd& end : ends.all()) BOOST_TEST(end.output == "ok\n");
}

BOOST_AUTO_TEST_CASE(more_programs_than_can_wait_are_refused_as_busy) {
  Ends ends;
  ProcessRunner runner({.most_running = 1, .most_waiting = 1});
  for (int i = 0; i < 3; ++i) runner.start(shell("exec sleep 1000"), {}, ends.taker());
  BOOST_REQUIRE(ends.wait_for(1));
  BOOST_TEST(ends.all().at(0).code == "busy");
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
