#include <toolwire/system/program_start.hpp>

#include <fcntl.h>
#include <poll.h>
#include <unistd.h>

#include <cerrno>
#include <mutex>
#include <set>
#include <system_error>
#include <toolwire/system/signals_blocked.hpp>
#include <utility>

#include "system/after_fork.hpp"
#include "system/program_streams.hpp"

namespace toolwire::system {
namespace {

/// The program's ends of the streams.
struct ChildEnds {
  FileDescriptor in;
  FileDescriptor out;
  FileDescriptor errors;
};

void connect_input_and_output(ProgramStart::Input input, ChildEnds& theirs, StartedProgram& ours) {
  if (input == ProgramStart::Input::socket) {
    StreamEnds ends = socket_ends();
    ours.output = std::move(ends.first);
    theirs.in = std::move(ends.second);
    return;
  }
  StreamEnds in = input == ProgramStart::Input::pipe ? pipe_ends() : StreamEnds{null_device(), {}};
  StreamEnds out = pipe_ends();
  ours.input = std::move(in.second);
  ours.output = std::move(out.first);
  theirs.in = std::move(in.first);
  theirs.out = std::move(out.second);
}

void connect_errors(ProgramStart::Errors errors, ChildEnds& theirs, StartedProgram& ours) {
  if (errors == ProgramStart::Errors::pipe) {
    StreamEnds ends = pipe_ends();
    ours.errors = std::move(ends.first);
    theirs.errors = std::move(ends.second);
  } else if (errors == ProgramStart::Errors::discarded || ::fcntl(STDERR_FILENO, F_GETFD) < 0) {
    theirs.errors = null_device();
  }
}

/// The children that were started here. Never destroyed: threads may end processes until the last moment.
struct Started {
  std::mutex mutex;
  std::set<ProcessId> processes;  // under the lock
};

Started& started_here() {
  static Started& all = *new Started;
  return all;
}

/// All signals are blocked meanwhile, so that no handler of ours runs in the child.
ProcessId fork_into(const AfterFork& program, const ProgramStart& start) {
  const SignalsBlocked blocked;
  const ProcessId parent = own_process_id();
  Started& known = started_here();
  const std::lock_guard lock(known.mutex);
  const ProcessId forked = ::fork();
  if (forked < 0) throw std::system_error(errno, std::generic_category(), "cannot start \"" + start.name + "\"");
  if (forked > 0) {
    known.processes.insert(forked);
    return forked;
  }
  if (start.keeper.keep == nullptr) become_program(program, parent);
  start.keeper.keep(program, start.keeper.with);
  ::_exit(127);
}

std::vector<char*> pointers_to(std::vector<std::string>& texts) {
  std::vector<char*> all;
  all.reserve(texts.size() + 1);
  for (std::string& text : texts) all.push_back(text.data());
  all.push_back(nullptr);
  return all;
}

}  // namespace

ProgramImage::ProgramImage(std::string path, std::vector<std::string> arguments, std::vector<std::string> environment)
    : path_{std::move(path)},
      arguments_{std::move(arguments)},
      environment_{std::move(environment)},
      argument_pointers_{pointers_to(arguments_)},
      environment_pointers_{pointers_to(environment_)} {}

StartedProgram start_program(const ProgramStart& start) {
  StartedProgram ours;
  ChildEnds theirs;
  connect_input_and_output(start.input, theirs, ours);
  connect_errors(start.errors, theirs, ours);
  StreamEnds failures = pipe_ends();
  ours.failure = std::move(failures.first);
  for (const FileDescriptor* end : {&ours.input, &ours.output, &ours.errors}) do_not_block(*end);
  const AfterFork program{.image = &start.image,
                          .directory = start.directory.empty() ? nullptr : start.directory.c_str(),
                          .in = theirs.in.get(),
                          .out = theirs.out.is_open() ? theirs.out.get() : theirs.in.get(),
                          .errors = theirs.errors.get(),
                          .failures = failures.second.get(),
                          .group = start.group,
                          .ends_with_parent = start.ends_with_parent,
                          .steps = start.steps};
  ours.process = fork_into(program, start);
  ours.ended = exit_descriptor(ours.process);
  return ours;
}

bool was_started_here(ProcessId process) {
  Started& known = started_here();
  const std::lock_guard lock(known.mutex);
  return known.processes.contains(process);
}

void forget_started(ProcessId process) {
  Started& known = started_here();
  const std::lock_guard lock(known.mutex);
  known.processes.erase(process);
}

std::optional<StartFailure> wait_for_start(const StartedProgram& program) {
  StartFailure failure;
  ssize_t count = 0;
  while ((count = ::read(program.failure.get(), &failure, sizeof failure)) < 0 && errno == EINTR) {
  }
  return count == sizeof failure ? std::optional(failure) : std::nullopt;
}

std::optional<StartFailure> start_failure(const StartedProgram& program) {
  pollfd known{program.failure.get(), POLLIN, 0};
  return ::poll(&known, 1, 0) > 0 ? wait_for_start(program) : std::nullopt;
}

}  // namespace toolwire::system
