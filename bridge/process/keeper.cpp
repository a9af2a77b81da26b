#include "process/keeper.hpp"

#include <fcntl.h>
#include <linux/close_range.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <csignal>

#include "system/control_group.hpp"
#include "system/private_folder.hpp"

namespace toolwire::bridge {
namespace {

constexpr int clean_up_rounds = 2000;
constexpr timespec clean_up_pause{0, 5'000'000};
/// Takes effect although the program has stopped this process. It comes from others too.
constexpr int signal_that_bridge_is_gone = SIGCONT;

/// Kills the children of this process: its own, and, since it is the reaper, those whose parents are gone.
void kill_children() {
  const int list = ::open("/proc/thread-self/children", O_RDONLY | O_CLOEXEC);
  if (list < 0) return;
  char bytes[4096];
  pid_t id = 0;
  for (ssize_t count = 0; (count = ::read(list, bytes, sizeof bytes)) > 0;) {
    for (ssize_t i = 0; i < count; ++i) {
      if (bytes[i] >= '0' && bytes[i] <= '9') {
        id = id * 10 + (bytes[i] - '0');
      } else if (id > 0) {
        ::kill(id, SIGKILL);
        id = 0;
      }
    }
  }
  ::close(list);
}

/// Ends all descendants: when one dies its children become children of this process. Gives up on those that the kernel
/// does not let go.
void clean_up() {
  sigset_t child;
  ::sigemptyset(&child);
  ::sigaddset(&child, SIGCHLD);
  for (int round = 0; round < clean_up_rounds; ++round) {
    kill_children();
    pid_t ended = 0;
    while ((ended = ::waitpid(-1, nullptr, WNOHANG)) > 0) {
    }
    if (ended < 0 && errno == ECHILD) return;
    ::sigtimedwait(&child, nullptr, &clean_up_pause);
  }
}

[[noreturn]] void end_as(int status) {
  if (WIFEXITED(status)) ::_exit(WEXITSTATUS(status));
  const int number = WTERMSIG(status);
  const rlimit none{0, 0};
  ::setrlimit(RLIMIT_CORE, &none);
  system::reset_signals();
  ::raise(number);
  ::_exit(128 + number);
}

void signal_group(pid_t program, int number) {
  if (::kill(-program, number) != 0) ::kill(program, number);  // it may not have its group yet
}

void remove_places(const KeeperPlan& plan) {
  if (plan.control_group != nullptr) end_control_group(plan.control_group);
  if (plan.temporary_folder != nullptr) remove_folder(plan.temporary_folder);
}

[[noreturn]] void watch_over(pid_t program, const KeeperPlan& plan) {
  sigset_t all;
  ::sigfillset(&all);
  while (true) {
    const int number = ::sigwaitinfo(&all, nullptr);
    if (number == signal_to_ask()) {
      signal_group(program, SIGTERM);
      signal_group(program, SIGCONT);  // a stopped program would not take it
    }
    const bool bridge_is_gone = number == signal_that_bridge_is_gone && ::getppid() != plan.bridge;
    if (number == signal_to_end() || bridge_is_gone) signal_group(program, SIGKILL);
    int status = 0;
    for (pid_t ended = 0; (ended = ::waitpid(-1, &status, WNOHANG)) > 0;) {
      if (ended != program) continue;
      ::kill(-program, SIGKILL);
      if (plan.control_group != nullptr) kill_control_group(plan.control_group);
      clean_up();
      remove_places(plan);
      end_as(status);
    }
  }
}

/// As close(2), in which sanitizers take locks that another thread may have held at the first fork.
void close_one(int descriptor) {
  const auto number = static_cast<unsigned>(descriptor);
  if (::close_range(number, number, 0) != 0) ::close(descriptor);
}

/// A pipe in two processes: `wait` returns once the other has closed its copy of the end that is written to.
struct Gate {
  int ends[2] = {-1, -1};

  bool open() { return ::pipe2(ends, O_CLOEXEC) == 0; }
  void wait() const {
    close_one(ends[1]);
    char byte = 0;
    while (::read(ends[0], &byte, 1) < 0 && errno == EINTR) {
    }
    close_one(ends[0]);
  }
};

[[noreturn]] void give_up(const system::AfterFork& start, const KeeperPlan& plan) {
  const int error = errno;
  remove_places(plan);
  errno = error;
  system::give_up_start(start, system::StartFailure::Step::fork);
}

/// Never returns; see Keeper.
void keep(const system::AfterFork& start, const void* with) {
  const KeeperPlan& plan = *static_cast<const KeeperPlan*>(with);
  ::prctl(PR_SET_DUMPABLE, 0);  // its memory is a copy of the bridge's, which the program must not read
  ::prctl(PR_SET_CHILD_SUBREAPER, 1);
  ::prctl(PR_SET_PDEATHSIG, signal_that_bridge_is_gone);
  if (::getppid() != plan.bridge) ::_exit(127);  // the bridge ended before PR_SET_PDEATHSIG took effect
  struct sigaction by_default {};
  by_default.sa_handler = SIG_DFL;
  ::sigaction(SIGCHLD, &by_default, nullptr);  // if it were ignored, the end of children would not be reported
  const pid_t keeper = ::getpid();
  Gate ready;  // else a program that stops its keeper at once leaves it with its output, whose end is then never seen
  if (!ready.open()) give_up(start, plan);
  const pid_t program = ::_Fork();
  if (program < 0) give_up(start, plan);
  if (program == 0) {
    ready.wait();
    system::become_program(start, keeper);
  }
  ::setpgid(0, 0);
  [[maybe_unused]] const int moved = ::chdir("/");  // and holds no folder
  ::closefrom(0);                                   // what lets the program begin is among them
  watch_over(program, plan);
}

}  // namespace

system::Keeper keeper_with(const KeeperPlan& plan) { return {.keep = keep, .with = &plan}; }

int signal_to_ask() { return SIGTERM; }
int signal_to_end() { return SIGUSR1; }

}  // namespace toolwire::bridge
