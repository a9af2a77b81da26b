// Only async-signal-safe calls are allowed here: no memory is taken, nothing is thrown, no lock is touched.
#include "system/after_fork.hpp"

#include <fcntl.h>
#include <linux/close_range.h>
#include <sys/prctl.h>
#include <unistd.h>

#include <cerrno>
#include <csignal>
#include <cstddef>
#include <toolwire/system/descriptor_limit.hpp>

namespace toolwire::system {
namespace {

using Group = ProgramStart::Group;
using Step = StartFailure::Step;

constexpr int first_own_descriptor = STDERR_FILENO + 1;

[[noreturn]] void report(const AfterFork& program, const StartFailure& failure) {
  [[maybe_unused]] const auto written = ::write(program.failures, &failure, sizeof failure);
  ::_exit(127);
}

void make_group(const AfterFork& program) {
  if (program.group == Group::group && ::setpgid(0, 0) != 0) give_up_start(program, Step::group);
  if (program.group == Group::session && ::setsid() < 0) give_up_start(program, Step::group);
}

void join_lifetime(ProcessId parent) {
  ::prctl(PR_SET_PDEATHSIG, SIGKILL);
  if (::getppid() != parent) ::_exit(127);  // the parent ended before PR_SET_PDEATHSIG took effect
}

void redirect(const AfterFork& program) {
  if (::dup2(program.in, STDIN_FILENO) < 0 || ::dup2(program.out, STDOUT_FILENO) < 0 ||
      (program.errors >= 0 && ::dup2(program.errors, STDERR_FILENO) < 0))
    give_up_start(program, Step::streams);
}

void inherit_nothing_else() {
  if (::close_range(first_own_descriptor, ~0U, CLOSE_RANGE_CLOEXEC) == 0) return;
  constexpr int likely_last = 1 << 16;  // kernels before 5.11
  for (int descriptor = first_own_descriptor; descriptor < likely_last; ++descriptor)
    ::fcntl(descriptor, F_SETFD, FD_CLOEXEC);
}

void take_steps(const AfterFork& program) {
  for (std::size_t i = 0; i < program.steps.size(); ++i) {
    if (!program.steps[i].run(program.steps[i].with))
      report(program, {.step = Step::own, .number = static_cast<int>(i), .error = errno});
  }
}

}  // namespace

void become_program(const AfterFork& program, ProcessId parent) {
  make_group(program);
  if (program.ends_with_parent) join_lifetime(parent);
  redirect(program);
  inherit_nothing_else();
  if (program.directory != nullptr && ::chdir(program.directory) != 0) give_up_start(program, Step::directory);
  reset_signals();
  restore_descriptor_limit();
  take_steps(program);
  ::execve(program.image->path(), program.image->arguments(), program.image->environment());
  give_up_start(program, Step::exec);
}

void give_up_start(const AfterFork& program, Step step) { report(program, {.step = step, .error = errno}); }

void reset_signals() {
  struct sigaction by_default {};
  by_default.sa_handler = SIG_DFL;
  for (int number = 1; number < NSIG; ++number) ::sigaction(number, &by_default, nullptr);
  sigset_t none;
  ::sigemptyset(&none);
  ::sigprocmask(SIG_SETMASK, &none, nullptr);
}

}  // namespace toolwire::system
