#include <toolwire/system/program_start.hpp>

#define BOOST_TEST_MODULE program_start_test
#include <fcntl.h>
#include <poll.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <boost/test/unit_test.hpp>
#include <cerrno>
#include <csignal>
#include <filesystem>
#include <iostream>
#include <map>
#include <optional>
#include <sstream>
#include <string>
#include <string_view>
#include <thread>
#include <toolwire/system/descriptor_limit.hpp>
#include <toolwire/system/find_program.hpp>
#include <vector>

#include "scratch_folder.hpp"
#include "soft_descriptor_limit.hpp"

using namespace toolwire::system;

namespace {

using Group = ProgramStart::Group;
using Step = StartFailure::Step;

constexpr int patience = 20'000;  // milliseconds

ProgramImage shell(const std::string& script, std::vector<std::string> environment = {"PATH=/usr/bin:/bin"}) {
  return {"/bin/sh", {"sh", "-c", script}, std::move(environment)};
}

bool is_ready(const FileDescriptor& descriptor, int milliseconds = patience) {
  pollfd waiting{descriptor.get(), POLLIN, 0};
  return ::poll(&waiting, 1, milliseconds) > 0;
}

std::string read_all(const FileDescriptor& from) {
  std::string all;
  std::array<char, 4096> bytes{};
  while (is_ready(from)) {
    const ssize_t count = ::read(from.get(), bytes.data(), bytes.size());
    if (count <= 0) break;
    all.append(bytes.data(), static_cast<std::size_t>(count));
  }
  return all;
}

int wait_for_end(const StartedProgram& program) {
  int status = -1;
  while (::waitpid(program.process, &status, 0) < 0 && errno == EINTR) {
  }
  return status;
}

/// What a program writes that gets no input.
std::string output_of(const ProgramStart& start) {
  StartedProgram program = start_program(start);
  program.input.reset();
  const auto failure = wait_for_start(program);
  BOOST_TEST(!failure.has_value());
  std::string all = read_all(program.output);
  BOOST_TEST(wait_for_end(program) == 0);
  return all;
}

/// Why a program does not run; it leaves no process behind.
StartFailure failure_of(const ProgramStart& start) {
  const StartedProgram program = start_program(start);
  const auto failure = wait_for_start(program);
  const int status = wait_for_end(program);
  BOOST_TEST(WIFEXITED(status));
  BOOST_TEST(WEXITSTATUS(status) == 127);
  BOOST_REQUIRE(failure.has_value());
  return *failure;
}

void is(const StartFailure& found, Step step, int error) {
  BOOST_TEST(static_cast<int>(found.step) == static_cast<int>(step));
  BOOST_TEST(found.error == error);
}

bool says(const void* text) {
  const std::string_view all = static_cast<const char*>(text);
  return ::write(STDOUT_FILENO, all.data(), all.size()) == static_cast<ssize_t>(all.size());
}

bool fails_with(const void* error) {
  errno = *static_cast<const int*>(error);
  return false;
}

/// A keeper that ends with the status of its program, plus what it is given.
void keep(const AfterFork& program, const void* with) {
  const ProcessId keeper = own_process_id();
  const pid_t child = ::_Fork();
  if (child == 0) become_program(program, keeper);
  ::close_range(0, ~0U, 0);
  int status = 0;
  ::waitpid(child, &status, 0);
  ::_exit(WEXITSTATUS(status) + *static_cast<const int*>(with));
}

/// A keeper that is refused a further process.
void find_no_process(const AfterFork& program, const void*) {
  errno = EAGAIN;
  give_up_start(program, Step::fork);
}

/// "SigBlk" to its value, of /proc/PID/status.
std::map<std::string, std::string> signals_in(const std::string& status) {
  std::map<std::string, std::string> found;
  std::istringstream lines(status);
  for (std::string line; std::getline(lines, line);) {
    if (line.starts_with("Sig")) found[line.substr(0, line.find(':'))] = line.substr(line.find('\t') + 1);
  }
  return found;
}

}  // namespace

BOOST_AUTO_TEST_CASE(a_program_that_cannot_be_executed_is_reported_with_the_reason) {
  const ProgramImage missing{"/no/such/program", {"x"}, {}};
  is(failure_of({.image = missing}), Step::exec, ENOENT);
  const ProgramImage no_program{"/etc/passwd", {"x"}, {}};
  is(failure_of({.image = no_program}), Step::exec, EACCES);
}

BOOST_AUTO_TEST_CASE(a_directory_that_is_missing_is_reported_as_such) {
  const ProgramImage image = shell("pwd");
  is(failure_of({.image = image, .directory = "/no/such/folder"}), Step::directory, ENOENT);
  const toolwire_test::ScratchFolder folder;
  BOOST_TEST(output_of({.image = image, .directory = folder.text()}) == folder.text() + "\n");
}

BOOST_AUTO_TEST_CASE(own_steps_are_taken_in_their_order_and_the_first_that_fails_is_reported) {
  const ProgramImage image = shell("echo program");
  const std::array both{StartStep{says, "one "}, StartStep{says, "two "}};
  BOOST_TEST(output_of({.image = image, .steps = both}) == "one two program\n");
  const int error = EDOM;
  const std::array steps{StartStep{says, "one "}, StartStep{fails_with, &error}, StartStep{says, "three "}};
  std::cout.flush();  // the thread sanitizer writes what is buffered when the child leaves
  const StartedProgram program = start_program({.image = image, .steps = steps});
  const auto failure = wait_for_start(program);
  BOOST_REQUIRE(failure.has_value());
  is(*failure, Step::own, EDOM);
  BOOST_TEST(failure->number == 1);
  BOOST_TEST(read_all(program.output) == "one ");
  wait_for_end(program);
}

BOOST_AUTO_TEST_CASE(a_failure_can_be_asked_for_without_waiting) {
  const ProgramImage waits = shell("read line");
  StartedProgram running = start_program({.image = waits});
  BOOST_TEST(!wait_for_start(running).has_value());
  BOOST_TEST(!start_failure(running).has_value());
  running.input.reset();
  wait_for_end(running);
  BOOST_TEST(!start_failure(running).has_value());
  const ProgramImage missing{"/no/such/program", {"x"}, {}};
  const StartedProgram failed = start_program({.image = missing});
  wait_for_end(failed);
  const auto failure = start_failure(failed);
  BOOST_REQUIRE(failure.has_value());
  is(*failure, Step::exec, ENOENT);
}

BOOST_AUTO_TEST_CASE(a_program_inherits_its_three_streams_and_no_other_descriptor) {
  const FileDescriptor inherited{::fcntl(STDERR_FILENO, F_DUPFD, 100)};  // not close-on-exec
  BOOST_TEST_REQUIRE(inherited.is_open());
  const ProgramImage image{"/bin/ls", {"ls", "/proc/self/fd"}, {}};
  BOOST_TEST(output_of({.image = image}) == "0\n1\n2\n3\n");  // 3: the folder it lists
  BOOST_TEST(output_of({.image = image, .input = ProgramStart::Input::socket}) == "0\n1\n2\n3\n");
}

BOOST_AUTO_TEST_CASE(a_program_gets_the_limit_of_descriptors_from_before_it_was_raised) {
  const toolwire_test::SoftDescriptorLimit few(200);
  raise_descriptor_limit();
  BOOST_TEST(descriptor_limit().value_or(1000) > 200U);
  const ProgramImage program = shell("ulimit -n");
  BOOST_TEST(output_of({.image = program}) == "200\n");
}

BOOST_AUTO_TEST_CASE(a_program_starts_with_no_signal_blocked_and_none_ignored) {
  sigset_t blocked, before;
  ::sigemptyset(&blocked);
  ::sigaddset(&blocked, SIGUSR1);
  ::sigaddset(&blocked, SIGTERM);
  ::pthread_sigmask(SIG_BLOCK, &blocked, &before);
  const auto pipes = std::signal(SIGPIPE, SIG_IGN);
  const auto users = std::signal(SIGUSR2, SIG_IGN);
  const ProgramImage image{"/bin/cat", {"cat", "/proc/self/status"}, {}};
  const auto signals = signals_in(output_of({.image = image}));
  sigset_t after;
  ::pthread_sigmask(SIG_SETMASK, &before, &after);
  std::signal(SIGPIPE, pipes);
  std::signal(SIGUSR2, users);
  for (const char* const kind : {"SigBlk", "SigIgn", "SigPnd"}) {
    BOOST_REQUIRE(signals.contains(kind));
    BOOST_TEST(signals.at(kind) == "0000000000000000", kind);
  }
  BOOST_TEST(::sigismember(&after, SIGUSR1) == 1);  // ours are as they were
  BOOST_TEST(::sigismember(&after, SIGHUP) == 0);
}

BOOST_AUTO_TEST_CASE(input_comes_through_a_pipe_from_nowhere_or_through_a_socket) {
  const ProgramImage copies{"/bin/cat", {"cat"}, {}};
  StartedProgram piped = start_program({.image = copies});
  BOOST_TEST(::write(piped.input.get(), "abc", 3) == 3);
  piped.input.reset();
  BOOST_TEST(read_all(piped.output) == "abc");
  BOOST_TEST(wait_for_end(piped) == 0);

  const ProgramImage names = shell("readlink /proc/self/fd/0");
  const ProgramStart without{.image = names, .input = ProgramStart::Input::nothing};
  BOOST_TEST(output_of(without) == "/dev/null\n");
  const StartedProgram nothing = start_program(without);
  BOOST_TEST(!nothing.input.is_open());
  wait_for_end(nothing);

  const StartedProgram socket = start_program({.image = copies, .input = ProgramStart::Input::socket});
  BOOST_TEST(!socket.input.is_open());
  BOOST_TEST(::write(socket.output.get(), "abc", 3) == 3);
  BOOST_TEST(::shutdown(socket.output.get(), SHUT_WR) == 0);
  BOOST_TEST(read_all(socket.output) == "abc");
  BOOST_TEST(wait_for_end(socket) == 0);
}

BOOST_AUTO_TEST_CASE(errors_are_piped_or_discarded) {
  const ProgramImage image = shell("echo bad >&2; readlink /proc/self/fd/2");
  const StartedProgram piped = start_program({.image = image});
  BOOST_TEST(read_all(piped.errors) == "bad\n");
  BOOST_TEST(read_all(piped.output).starts_with("pipe:"));
  wait_for_end(piped);
  const StartedProgram discarded = start_program({.image = image, .errors = ProgramStart::Errors::discarded});
  BOOST_TEST(!discarded.errors.is_open());
  BOOST_TEST(read_all(discarded.output) == "/dev/null\n");
  wait_for_end(discarded);
}

BOOST_AUTO_TEST_CASE(our_ends_do_not_block_and_are_not_inherited) {
  const ProgramImage image{"/bin/cat", {"cat"}, {}};
  StartedProgram program = start_program({.image = image});
  for (const FileDescriptor* const end : {&program.input, &program.output, &program.errors}) {
    BOOST_TEST((::fcntl(end->get(), F_GETFL) & O_NONBLOCK) != 0);
    BOOST_TEST((::fcntl(end->get(), F_GETFD) & FD_CLOEXEC) != 0);
  }
  program.input.reset();
  BOOST_TEST(wait_for_end(program) == 0);
}

BOOST_AUTO_TEST_CASE(the_environment_is_what_was_given_and_nothing_else) {
  const ProgramImage image{"/usr/bin/env", {"env"}, {"A=1", "B=two words"}};
  BOOST_TEST(output_of({.image = image}) == "A=1\nB=two words\n");
  const ProgramImage none{"/usr/bin/env", {"env"}, {}};
  BOOST_TEST(output_of({.image = none}).empty());
}

BOOST_AUTO_TEST_CASE(the_end_of_the_process_is_told_where_the_kernel_can) {
  const ProgramImage image = shell("read line");
  StartedProgram program = start_program({.image = image});
  if (!program.ended.is_open()) {
    BOOST_TEST(errno == ENOSYS);  // before Linux 5.3
  } else {
    BOOST_TEST(!is_ready(program.ended, 50));
    BOOST_TEST((::fcntl(program.ended.get(), F_GETFD) & FD_CLOEXEC) != 0);
  }
  program.input.reset();
  if (program.ended.is_open()) BOOST_TEST(is_ready(program.ended));
  wait_for_end(program);
}

BOOST_AUTO_TEST_CASE(a_program_is_in_our_group_in_its_own_or_in_a_session_of_its_own) {
  const ProgramImage image{"/bin/cat", {"cat"}, {}};
  for (const Group group : {Group::of_parent, Group::group, Group::session}) {
    StartedProgram program = start_program({.image = image, .group = group});
    BOOST_TEST(!wait_for_start(program).has_value());
    BOOST_TEST((::getpgid(program.process) == program.process) == (group != Group::of_parent));
    BOOST_TEST((::getsid(program.process) == program.process) == (group == Group::session));
    program.input.reset();
    wait_for_end(program);
  }
}

BOOST_AUTO_TEST_CASE(a_program_that_is_to_ends_with_the_thread_that_started_it) {
  const ProgramImage image{"/bin/sleep", {"sleep", "600"}, {}};
  std::optional<StartedProgram> program;
  std::thread([&] {
    program = start_program({.image = image, .ends_with_parent = true});
    BOOST_TEST(!wait_for_start(*program).has_value());
  }).join();
  const int status = wait_for_end(*program);
  BOOST_TEST(WIFSIGNALED(status));
  BOOST_TEST(WTERMSIG(status) == SIGKILL);
}

BOOST_AUTO_TEST_CASE(a_keeper_stays_between_us_and_the_program) {
  const int more = 40;
  const ProgramImage image = shell("echo $PPID; exit 2");
  const StartedProgram kept = start_program({.image = image, .ends_with_parent = true, .keeper = {keep, &more}});
  BOOST_TEST(!wait_for_start(kept).has_value());
  BOOST_TEST(read_all(kept.output) == std::to_string(kept.process) + "\n");
  BOOST_TEST(WEXITSTATUS(wait_for_end(kept)) == 42);

  const ProgramImage missing{"/no/such/program", {"x"}, {}};
  const StartedProgram failed = start_program({.image = missing, .keeper = {keep, &more}});
  const auto failure = wait_for_start(failed);
  BOOST_REQUIRE(failure.has_value());
  is(*failure, Step::exec, ENOENT);
  BOOST_TEST(WEXITSTATUS(wait_for_end(failed)) == 127 + more);

  is(failure_of({.image = image, .keeper = {find_no_process, nullptr}}), Step::fork, EAGAIN);
}

BOOST_AUTO_TEST_CASE(a_program_is_found_in_the_folders_of_a_path) {
  const toolwire_test::ScratchFolder folder;
  const std::string program = folder.text() + "/run-me";
  { const FileDescriptor made{::open(program.c_str(), O_WRONLY | O_CREAT | O_CLOEXEC, 0700)}; }
  { const FileDescriptor made{::open((folder.text() + "/data").c_str(), O_WRONLY | O_CREAT | O_CLOEXEC, 0600)}; }
  const auto find = [](const std::string& name, const std::string& folders,
                       RelativeFolders relative = RelativeFolders::searched) {
    return find_program(name, folders, relative).value_or("none");
  };
  BOOST_TEST(find("run-me", "/no/such/folder:" + folder.text()) == program);
  BOOST_TEST(find("run-me", "/no/such/folder") == "none");
  BOOST_TEST(find("data", folder.text()) == "none");  // not executable
  BOOST_TEST(find("a/b", folder.text()) == "a/b");
  const auto before = std::filesystem::current_path();
  std::filesystem::current_path(folder.path());
  BOOST_TEST(find("run-me", ":/no/such/folder") == "./run-me");
  BOOST_TEST(find("run-me", ".", RelativeFolders::skipped) == "none");
  BOOST_TEST(find("run-me", "", RelativeFolders::skipped) == "none");
  BOOST_TEST(find("run-me", ".::" + folder.text(), RelativeFolders::skipped) == program);
  std::filesystem::current_path(before);
}

BOOST_AUTO_TEST_CASE(processes_are_known_by_their_numbers) {
  BOOST_TEST(own_process_id() == ::getpid());
  BOOST_TEST(process_exists(own_process_id()));
  BOOST_TEST(process_exists(1));  // somebody else's, perhaps
  const ProgramImage image{"/bin/true", {"true"}, {}};
  const StartedProgram program = start_program({.image = image});
  BOOST_TEST(process_exists(program.process));  // until it is waited for
  wait_for_end(program);
  BOOST_TEST(!process_exists(program.process));
}
