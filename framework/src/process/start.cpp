#include "process/start.hpp"

#include <fcntl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <system_error>
#include <toolwire/system/program_streams.hpp>
#include <toolwire/system/signals_blocked.hpp>

#include "process/after_fork.hpp"
#include "process/program_image.hpp"

namespace toolwire::process {
namespace {

using system::FileDescriptor;
using system::pipe_ends;
using system::StreamEnds;

[[noreturn]] void fail(int error, const std::string& what) {
  throw std::system_error(error, std::generic_category(), what);
}

/// The program's ends of the streams.
struct ChildEnds {
  FileDescriptor in;
  FileDescriptor out;
  FileDescriptor errors;
};

ChildEnds make_streams(const Program& program, Started& ours) {
  ChildEnds theirs;
  if (program.streams == Program::Streams::socket) {
    StreamEnds ends = system::socket_ends();
    ours.from_child = std::move(ends.first);
    theirs.in = std::move(ends.second);
  } else {
    StreamEnds in = pipe_ends();
    StreamEnds out = pipe_ends();
    ours.to_child = std::move(in.second);
    ours.from_child = std::move(out.first);
    theirs.in = std::move(in.first);
    theirs.out = std::move(out.second);
  }
  if (program.errors == Program::Errors::keep_tail) {
    StreamEnds errors = pipe_ends();
    ours.errors = std::move(errors.first);
    theirs.errors = std::move(errors.second);
  } else if (program.errors == Program::Errors::discard || ::fcntl(STDERR_FILENO, F_GETFD) < 0) {
    theirs.errors = system::null_device();
  }
  for (const FileDescriptor* end : {&ours.from_child, &ours.to_child, &ours.errors}) system::do_not_block(*end);
  return theirs;
}

/// Forks with every signal blocked, so that no handler of ours runs in the child.
pid_t fork_into(const AfterFork& plan) {
  const system::SignalsBlocked blocked;
  const pid_t id = ::fork();
  if (id == 0) become_program(plan);
  if (id < 0) fail(errno, "cannot start \"" + std::string{plan.image->path()} + "\": fork");
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

}  // namespace

Started start(const Program& program) {
  const ProgramImage image{program};
  Started ours;
  ChildEnds theirs = make_streams(program, ours);
  StreamEnds failures = pipe_ends();
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
  ours.exited = system::exit_descriptor(ours.id);
  return ours;
}

}  // namespace toolwire::process
