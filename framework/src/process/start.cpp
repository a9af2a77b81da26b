#include "process/start.hpp"

#include <fcntl.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <csignal>
#include <system_error>

#include "process/after_fork.hpp"
#include "process/program_image.hpp"

namespace toolwire::process {
namespace {

using system::FileDescriptor;

[[noreturn]] void fail(int error, const std::string& what) {
  throw std::system_error(error, std::generic_category(), what);
}

/// Takes a descriptor out of the range 0 to 2, where it would be in the way of the redirections.
FileDescriptor above_standard(int descriptor) {
  FileDescriptor own{descriptor};
  if (descriptor > STDERR_FILENO) return own;
  FileDescriptor copy{::fcntl(descriptor, F_DUPFD_CLOEXEC, STDERR_FILENO + 1)};
  if (!copy.is_open()) fail(errno, "cannot make the streams of a program");
  return copy;
}

struct Ends {
  FileDescriptor first;
  FileDescriptor second;
};

Ends pipe_ends() {
  int ends[2];
  if (::pipe2(ends, O_CLOEXEC) != 0) fail(errno, "cannot make a pipe to a program");
  FileDescriptor second{ends[1]};
  FileDescriptor first = above_standard(ends[0]);
  return {std::move(first), above_standard(second.release())};
}

Ends socket_ends() {
  int ends[2];
  if (::socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends) != 0) fail(errno, "cannot make a socket to a program");
  FileDescriptor second{ends[1]};
  FileDescriptor first = above_standard(ends[0]);
  return {std::move(first), above_standard(second.release())};
}

FileDescriptor null_device() {
  const int null = ::open("/dev/null", O_RDWR | O_CLOEXEC);
  if (null < 0) fail(errno, "cannot open /dev/null");
  return above_standard(null);
}

/// The program's ends of the streams.
struct ChildEnds {
  FileDescriptor in;
  FileDescriptor out;
  FileDescriptor errors;
};

void do_not_block(const FileDescriptor& ours) {
  if (ours.is_open()) ::fcntl(ours.get(), F_SETFL, ::fcntl(ours.get(), F_GETFL) | O_NONBLOCK);
}

ChildEnds make_streams(const Program& program, Started& ours) {
  ChildEnds theirs;
  if (program.streams == Program::Streams::socket) {
    Ends ends = socket_ends();
    ours.from_child = std::move(ends.first);
    theirs.in = std::move(ends.second);
  } else {
    Ends in = pipe_ends();
    Ends out = pipe_ends();
    ours.to_child = std::move(in.second);
    ours.from_child = std::move(out.first);
    theirs.in = std::move(in.first);
    theirs.out = std::move(out.second);
  }
  if (program.errors == Program::Errors::keep_tail) {
    Ends errors = pipe_ends();
    ours.errors = std::move(errors.first);
    theirs.errors = std::move(errors.second);
  } else if (program.errors == Program::Errors::discard || ::fcntl(STDERR_FILENO, F_GETFD) < 0) {
    theirs.errors = null_device();
  }
  for (const FileDescriptor* end : {&ours.from_child, &ours.to_child, &ours.errors}) do_not_block(*end);
  return theirs;
}

/// Forks with every signal blocked, so that no handler of ours runs in the child.
pid_t fork_into(const AfterFork& plan) {
  sigset_t all;
  sigset_t before;
  ::sigfillset(&all);
  ::pthread_sigmask(SIG_SETMASK, &all, &before);
  const pid_t id = ::fork();
  if (id == 0) become_program(plan);
  const int error = errno;
  ::pthread_sigmask(SIG_SETMASK, &before, nullptr);
  if (id < 0) fail(error, "cannot start \"" + std::string{plan.image->path()} + "\": fork");
  return id;
}

std::string describe(const Program& program, const AfterFork& plan, StartFailure::Step step) {
  const std::string text = "cannot start \"" + std::string{plan.image->path()} + "\"";
  switch (step) {
    case StartFailure::Step::directory:
      return text + " in the directory \"" + program.directory + "\"";
    case StartFailure::Step::streams:
      return text + ": redirecting its streams";
    case StartFailure::Step::group:
      return text + ": making its process group";
    case StartFailure::Step::exec:
      break;
  }
  return text;
}

/// Returns once the program runs, which closes the pipe, or says why it does not.
void wait_for_exec(const Program& program, const AfterFork& plan, pid_t id, int failures) {
  StartFailure failure{};
  ssize_t count = 0;
  while ((count = ::read(failures, &failure, sizeof failure)) < 0 && errno == EINTR) {
  }
  if (count != sizeof failure) return;
  while (::waitpid(id, nullptr, 0) < 0 && errno == EINTR) {
  }
  fail(failure.error, describe(program, plan, failure.step));
}

FileDescriptor exit_descriptor(pid_t id) { return FileDescriptor{static_cast<int>(::syscall(SYS_pidfd_open, id, 0))}; }

}  // namespace

Started start(const Program& program) {
  const ProgramImage image{program};
  Started ours;
  ChildEnds theirs = make_streams(program, ours);
  Ends failures = pipe_ends();
  const AfterFork plan{.image = &image,
                       .directory = program.directory.empty() ? nullptr : program.directory.c_str(),
                       .in = theirs.in.get(),
                       .out = theirs.out.is_open() ? theirs.out.get() : theirs.in.get(),
                       .errors = theirs.errors.get(),
                       .failures = failures.second.get(),
                       .own_group = program.own_group,
                       .end_with_parent = program.end_with_parent,
                       .parent = ::getpid()};
  ours.id = fork_into(plan);
  failures.second.reset();
  wait_for_exec(program, plan, ours.id, failures.first.get());
  ours.exited = exit_descriptor(ours.id);
  return ours;
}

}  // namespace toolwire::process
