#include "process/after_fork.hpp"

#include <fcntl.h>
#include <linux/close_range.h>
#include <sys/prctl.h>
#include <unistd.h>

#include <cerrno>
#include <csignal>
#include <toolwire/system/program_streams.hpp>

#include "process/program_image.hpp"

namespace toolwire::process {
namespace {

constexpr int first_own_descriptor = STDERR_FILENO + 1;

[[noreturn]] void give_up(const AfterFork& plan, StartFailure::Step step) {
  const StartFailure failure{step, errno};
  [[maybe_unused]] const auto written = ::write(plan.failures, &failure, sizeof failure);
  ::_exit(127);
}

void join_lifetime(const AfterFork& plan) {
  if (plan.own_group && ::setpgid(0, 0) != 0) give_up(plan, StartFailure::Step::group);
  if (!plan.end_with_parent) return;
  ::prctl(PR_SET_PDEATHSIG, SIGKILL);
  if (::getppid() != plan.parent) ::_exit(127);  // it ended before we asked to be told
}

void redirect(const AfterFork& plan) {
  if (::dup2(plan.in, STDIN_FILENO) < 0 || ::dup2(plan.out, STDOUT_FILENO) < 0 ||
      (plan.errors >= 0 && ::dup2(plan.errors, STDERR_FILENO) < 0))
    give_up(plan, StartFailure::Step::streams);
}

void inherit_nothing_else() {
  if (::close_range(first_own_descriptor, ~0U, CLOSE_RANGE_CLOEXEC) == 0) return;
  constexpr int likely_last = 1 << 16;  // kernels before 5.11
  for (int descriptor = first_own_descriptor; descriptor < likely_last; ++descriptor)
    ::fcntl(descriptor, F_SETFD, FD_CLOEXEC);
}

}  // namespace

void become_program(const AfterFork& plan) {
  join_lifetime(plan);
  redirect(plan);
  if (plan.directory != nullptr && ::chdir(plan.directory) != 0) give_up(plan, StartFailure::Step::directory);
  inherit_nothing_else();
  system::reset_signals();
  ::execve(plan.image->path(), plan.image->arguments(), plan.image->environment());
  give_up(plan, StartFailure::Step::exec);
}

}  // namespace toolwire::process
