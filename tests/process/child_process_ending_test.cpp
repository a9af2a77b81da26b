// How programs that were started are made to end, with all they have started.
#include <toolwire/child_process.hpp>

#define BOOST_TEST_MODULE child_process_ending_test
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

BOOST_AUTO_TEST_CASE(a_program_that_heeds_the_end_of_input_is_not_signalled) {
  ChildProcess process{shell("cat; exit 7")};
  BOOST_TEST((process.stop({.after_end_of_input = 30s, .after_terminate = 0s}) == ExitStatus{.code = 7}));
}

BOOST_AUTO_TEST_CASE(a_program_that_ignores_the_end_of_input_is_terminated) {
  ChildProcess process{{.command = {"sleep", "1000"}}};
  BOOST_TEST((process.stop({.after_end_of_input = 10ms, .after_terminate = 30s}) == ExitStatus{.signal = SIGTERM}));
  BOOST_TEST((process.stop() == ExitStatus{.signal = SIGTERM}));
}

BOOST_AUTO_TEST_CASE(a_program_that_ignores_everything_is_killed) {
  ChildProcess process{shell("trap '' TERM INT HUP; echo ready; while :; do sleep 1; done")};
  BOOST_TEST(read_line(process.transport()) == "ready");
  BOOST_TEST((process.stop(impatient) == ExitStatus{.signal = SIGKILL}));
}

BOOST_AUTO_TEST_CASE(destruction_and_assignment_end_the_program) {
  pid_t first = 0;
  pid_t second = 0;
  {
    ChildProcess process{{.command = {"cat"}}};
    first = process.id();
    process = ChildProcess{{.command = {"cat"}}};
    BOOST_TEST(has_ended(first));
    second = process.id();
    write(process.transport(), "still here\n");
    BOOST_TEST(read_line(process.transport()) == "still here");
  }
  BOOST_TEST(has_ended(second));
}

BOOST_AUTO_TEST_CASE(a_grandchild_that_holds_the_streams_holds_up_nothing) {
  for (const auto streams : {Program::Streams::pipes, Program::Streams::socket}) {
    Program program = shell("sleep 1000 & echo $!; echo bye >&2");
    program.errors = Program::Errors::keep_tail;
    program.streams = streams;
    ChildProcess process{program};
    const pid_t grandchild = std::stoi(read_line(process.transport()));
    BOOST_TEST(read_all(process.transport()).empty());
    const std::string much(std::size_t{4} << 20, 'm');
    BOOST_TEST(write(process.transport(), much) == Transport::peer_gone);
    BOOST_TEST(process.stop().success());
    BOOST_TEST(process.error_tail() == "bye\n");
    BOOST_TEST(!has_ended(grandchild));
    ::kill(grandchild, SIGKILL);
  }
}

BOOST_AUTO_TEST_CASE(nothing_of_its_own_group_outlives_the_program) {
  Program program = shell("sleep 1000 & echo $!");
  program.own_group = true;
  ChildProcess process{program};
  const pid_t grandchild = std::stoi(read_line(process.transport()));
  BOOST_TEST(process.wait().success());
  wait_until_ended(grandchild);
}

BOOST_AUTO_TEST_CASE(a_signal_reaches_the_whole_group) {
  Program program = shell("sleep 1000 & echo $!; wait");
  program.own_group = true;
  ChildProcess process{program};
  const pid_t grandchild = std::stoi(read_line(process.transport()));
  process.signal(SIGTERM);
  BOOST_TEST((process.wait() == ExitStatus{.signal = SIGTERM}));
  wait_until_ended(grandchild);
}

BOOST_AUTO_TEST_CASE(it_can_be_made_to_end_with_its_parent) {
  int ends[2];
  BOOST_REQUIRE(::pipe2(ends, O_CLOEXEC) == 0);
  const pid_t parent = ::fork();
  if (parent == 0) {
    const ChildProcess process{{.command = {"sleep", "1000"}, .end_with_parent = true}};
    const pid_t id = process.id();
    ::_exit(::write(ends[1], &id, sizeof id) == sizeof id ? 0 : 1);
  }
  pid_t id = 0;
  BOOST_TEST(::read(ends[0], &id, sizeof id) == static_cast<ssize_t>(sizeof id));
  ::waitpid(parent, nullptr, 0);
  wait_until_ended(id);
  ::close(ends[0]);
  ::close(ends[1]);
}
