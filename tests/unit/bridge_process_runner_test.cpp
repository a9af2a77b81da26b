#include "process/runner.hpp"

#define BOOST_TEST_MODULE bridge_process_runner
#include <boost/test/unit_test.hpp>

#include <algorithm>
#include <filesystem>
#include <memory>
#include <vector>

#include "process_bench.hpp"

using namespace toolwire_test;

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
  ProcessRunner runner({.max_running = 100});
  const std::size_t before = thread_count();
  const std::string gate = (folder / "gate").string();
  for (int i = 0; i < 500; ++i)
    runner.start(
        shell("echo x >> " + (folder / "up").string() + "; until [ -e " + gate + " ]; do sleep 0.05; done; echo ok"),
        {}, ends.taker());
  BOOST_TEST(eventually([&] { return content_of(folder / "up").size() >= 200; }));
  BOOST_TEST(thread_count() <= before + 2);  // the engine's own, however many programs run
  folder.file("gate");
  BOOST_REQUIRE(ends.wait_for(500));
  for (const ProcessEnd& end : ends.all()) BOOST_TEST(end.output == "ok\n");
}

BOOST_AUTO_TEST_CASE(more_programs_than_can_wait_are_refused_as_busy) {
  Ends ends;
  ProcessRunner runner({.max_running = 1, .max_waiting = 1});
  for (int i = 0; i < 3; ++i) runner.start(shell("exec sleep 1000"), {}, ends.taker());
  BOOST_REQUIRE(ends.wait_for(1));
  BOOST_TEST(ends.all().at(0).code == "busy");
}
