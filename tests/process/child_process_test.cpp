#include <toolwire/child_process.hpp>

#define BOOST_TEST_MODULE child_process_test
#include <fcntl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <boost/test/unit_test.hpp>
#include <csignal>
#include <fstream>
#include <set>
#include <stdexcept>
#include <string>
#include <system_error>
#include <thread>

#include "shell_programs.hpp"

using namespace std::chrono_literals;
using toolwire::ChildProcess;
using toolwire::ExitStatus;
using toolwire::Program;
using toolwire::Transport;
using namespace toolwire_test;

namespace {

auto mentions(std::string text, int error) {
  return [text = std::move(text), error](const std::system_error& thrown) {
    BOOST_TEST_MESSAGE(thrown.what());
    return thrown.code().value() == error && std::string_view{thrown.what()}.find(text) != std::string_view::npos;
  };
}

}  // namespace

BOOST_AUTO_TEST_CASE(a_program_reads_and_writes_through_either_kind_of_stream) {
  for (const auto streams : {Program::Streams::pipes, Program::Streams::socket}) {
    ChildProcess process{{.command = {"cat"}, .streams = streams}};
    BOOST_TEST(write(process.transport(), "hello\n") == 6);
    BOOST_TEST(read_line(process.transport()) == "hello");
    BOOST_TEST(!process.exit_status());
    process.close_input();
    BOOST_TEST(read_all(process.transport()).empty());
    BOOST_TEST(process.wait().success());
    BOOST_TEST(process.transport().input_closed());
  }
}

BOOST_AUTO_TEST_CASE(much_goes_both_ways_at_once) {
  for (const auto streams : {Program::Streams::pipes, Program::Streams::socket}) {
    ChildProcess process{{.command = {"cat"}, .streams = streams}};
    const std::string much(std::size_t{3} << 20, 'm');
    std::string back;
    std::thread reader{[&] { back = read_all(process.transport()); }};
    BOOST_TEST(write(process.transport(), much) == std::ptrdiff_t{3} << 20);
    process.close_input();
    reader.join();
    BOOST_TEST((back == much));
  }
}

BOOST_AUTO_TEST_CASE(how_it_ended_is_told) {
  BOOST_TEST((ChildProcess{shell("exit 3")}.wait() == ExitStatus{.code = 3}));
  BOOST_TEST(ChildProcess{shell("exit 3")}.wait().text() == "exited with status 3");
  BOOST_TEST((ChildProcess{shell("kill -SEGV $$")}.wait() == ExitStatus{.signal = SIGSEGV}));
  BOOST_TEST(ExitStatus{.signal = SIGSEGV}.text() == "was killed by signal 11 (Segmentation fault)");
  BOOST_TEST(ExitStatus{}.text() == "ended with an unknown status");
  BOOST_TEST(!ExitStatus{}.success());
}

BOOST_AUTO_TEST_CASE(a_program_that_does_not_start_is_named_with_the_reason) {
  const auto start = [](const Program& program) { ChildProcess{program}; };
  BOOST_CHECK_EXCEPTION(start({.command = {"no-such-program"}}), std::system_error,
                        mentions("\"no-such-program\": no such program in PATH", ENOENT));
  BOOST_CHECK_EXCEPTION(start({.command = {"/no/such/program"}}), std::system_error,
                        mentions("\"/no/such/program\"", ENOENT));
  BOOST_CHECK_EXCEPTION(start({.command = {"/etc/passwd"}}), std::system_error, mentions("/etc/passwd", EACCES));
  BOOST_CHECK_EXCEPTION(start({.command = {"/tmp"}}), std::system_error, mentions("/tmp", EACCES));
  BOOST_CHECK_EXCEPTION(start({.command = {"cat"}, .directory = "/no/such/folder"}), std::system_error,
                        mentions("in the directory \"/no/such/folder\"", ENOENT));
}

BOOST_AUTO_TEST_CASE(what_cannot_be_passed_to_a_program_is_refused) {
  const auto start = [](const Program& program) { ChildProcess{program}; };
  BOOST_CHECK_THROW(start({}), std::invalid_argument);
  BOOST_CHECK_THROW(start({.command = {""}}), std::invalid_argument);
  BOOST_CHECK_THROW(start({.command = {"cat", std::string{"a\0b", 3}}}), std::invalid_argument);
  BOOST_CHECK_THROW(start({.command = {"cat"}, .environment = {{"a=b", "c"}}}), std::invalid_argument);
  BOOST_CHECK_THROW(start({.command = {"cat"}, .environment = {{"", "c"}}}), std::invalid_argument);
  BOOST_CHECK_THROW(start({.command = {"cat"}, .environment = {{"a", std::string{"\0", 1}}}}), std::invalid_argument);
}

BOOST_AUTO_TEST_CASE(the_environment_is_ours_and_more_or_all_there_is) {
  ::setenv("TOOLWIRE_TEST_OURS", "ours", 1);
  Program program = shell("echo $TOOLWIRE_TEST_OURS-$TOOLWIRE_TEST_MORE");
  program.environment = {{"TOOLWIRE_TEST_MORE", "more"}};
  BOOST_TEST(output_of(program) == "ours-more\n");
  program.environment = {{"TOOLWIRE_TEST_OURS", "other"}};
  BOOST_TEST(output_of(program) == "other-\n");
  program.inherit_environment = false;
  program.environment = {{"TOOLWIRE_TEST_MORE", "alone"}};
  BOOST_TEST(output_of(program) == "-alone\n");
}

BOOST_AUTO_TEST_CASE(it_runs_in_the_directory_asked_for) {
  BOOST_TEST(output_of({.command = {"pwd"}, .directory = "/usr"}) == "/usr\n");
  BOOST_TEST(output_of({.command = {"./sh", "-c", "echo found"}, .directory = "/bin"}) == "found\n");
}

BOOST_AUTO_TEST_CASE(only_the_standard_descriptors_are_inherited) {
  const int leaking = ::fcntl(::open("/dev/null", O_RDONLY), F_DUPFD, 100);
  const std::string path = "/proc/$$/fd/" + std::to_string(leaking);
  BOOST_TEST(output_of(shell("for f in 0 1 2; do test -e /proc/$$/fd/$f || echo no $f; done; test -e " + path +
                             " && echo leaked; echo done")) == "done\n");
  ::close(leaking);
}

BOOST_AUTO_TEST_CASE(no_signal_is_blocked_or_ignored_in_the_program) {
  std::signal(SIGPIPE, SIG_IGN);
  std::signal(SIGUSR1, SIG_IGN);
  sigset_t set;
  ::sigemptyset(&set);
  ::sigaddset(&set, SIGTERM);
  ::pthread_sigmask(SIG_BLOCK, &set, nullptr);
  BOOST_TEST(output_of({.command = {"grep", "-E", "^Sig(Blk|Ign)", "/proc/self/status"}}) ==
             "SigBlk:\t0000000000000000\nSigIgn:\t0000000000000000\n");
  ::pthread_sigmask(SIG_UNBLOCK, &set, nullptr);
  std::signal(SIGPIPE, SIG_DFL);
  std::signal(SIGUSR1, SIG_DFL);
}

BOOST_AUTO_TEST_CASE(standard_error_is_discarded_or_its_end_is_kept) {
  Program program =
      shell("i=0; while [ $i -lt 30000 ]; do echo this is line $i >&2; i=$((i+1)); done; echo the last >&2");
  program.errors = Program::Errors::discard;
  BOOST_TEST(ChildProcess{program}.wait().success());
  program.errors = Program::Errors::keep_tail;
  program.kept_errors = 1000;
  ChildProcess process{program};
  BOOST_TEST(process.wait().success());
  const std::string tail = process.error_tail();
  BOOST_TEST((tail.size() > 900 && tail.size() <= 1000));
  BOOST_TEST(tail.starts_with("this is line "));
  BOOST_TEST(tail.ends_with("\nthe last\n"));
}

BOOST_AUTO_TEST_CASE(closing_the_input_frees_a_write_that_waits) {
  for (const auto streams : {Program::Streams::pipes, Program::Streams::socket}) {
    ChildProcess process{{.command = {"sleep", "1000"}, .streams = streams}};
    const std::string much(std::size_t{4} << 20, 'm');
    const auto accepted = process.transport().write(much.data(), much.size(), Transport::Blocking::no);
    BOOST_TEST((accepted > 0 && accepted < std::ptrdiff_t{4} << 20));
    std::ptrdiff_t result = 0;
    std::thread writer{[&] { result = write(process.transport(), much); }};
    process.close_input();
    writer.join();
    BOOST_TEST(result == Transport::peer_gone);
    BOOST_TEST((process.stop(impatient) == ExitStatus{.signal = SIGTERM}));
  }
}

BOOST_AUTO_TEST_CASE(an_interrupt_ends_a_read_that_waits) {
  ChildProcess process{{.command = {"cat"}}};
  char byte = 0;
  std::ptrdiff_t result = 0;
  std::thread reader{[&] { result = process.transport().read(&byte, 1); }};
  process.transport().interrupt();
  reader.join();
  BOOST_TEST(result == Transport::interrupted);
}

BOOST_AUTO_TEST_CASE(writing_to_a_program_that_has_ended_is_a_gone_peer) {
  for (const auto streams : {Program::Streams::pipes, Program::Streams::socket}) {
    ChildProcess process{{.command = {"true"}, .streams = streams}};
    process.wait();
    BOOST_TEST(write(process.transport(), "x") == Transport::peer_gone);
  }
}

BOOST_AUTO_TEST_CASE(it_starts_from_a_process_without_standard_streams) {
  const pid_t parent = ::fork();
  if (parent == 0) {
    for (const int standard : {0, 1, 2}) ::close(standard);
    Program program = shell("cat; echo lost >&2");
    program.errors = Program::Errors::inherit;
    ChildProcess process{program};
    write(process.transport(), "hello\n");
    ::_exit(read_line(process.transport()) == "hello" && process.stop().success() ? 0 : 1);
  }
  int status = 0;
  ::waitpid(parent, &status, 0);
  BOOST_TEST((WIFEXITED(status) && WEXITSTATUS(status) == 0));
}

BOOST_AUTO_TEST_CASE(a_process_that_ignores_its_children_learns_that_they_end) {
  std::signal(SIGCHLD, SIG_IGN);
  ChildProcess process{{.command = {"cat"}}};
  BOOST_TEST((process.stop() == ExitStatus{}));
  std::signal(SIGCHLD, SIG_DFL);
}

BOOST_AUTO_TEST_CASE(programs_started_at_once_do_not_hold_each_others_streams) {
  std::vector<std::thread> threads;
  threads.reserve(8);
  std::array<ExitStatus, 8> ended;
  for (ExitStatus& status : ended) {
    threads.emplace_back([&status] {
      for (int i = 0; i < 5; ++i) {
        ChildProcess process{{.command = {"cat"}}};
        status = process.stop({.after_end_of_input = 60s, .after_terminate = 0s});
      }
    });
  }
  for (std::thread& thread : threads) thread.join();
  for (const ExitStatus& status : ended) BOOST_TEST(status.success());
}
