#include "workspace/system/program_helper.hpp"

#include <fcntl.h>
#include <poll.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <csignal>
#include <system_error>
#include <toolwire/system/program_start.hpp>
#include <utility>

#include "workspace/system/call_frames.hpp"

namespace workspace {
namespace {

using toolwire::system::FileDescriptor;
using toolwire::system::StartedProgram;
using Confinements = std::map<std::string, ProgramConfinement>;

/// Sends what the program writes until it has ended, and the input until it has all of it. One thread.
class Relay {
 public:
  Relay(int call, StartedProgram& program, std::string_view input) : call_(call), program_(program), input_(input) {}

  /// False if nobody listens any more.
  bool run() {
    if (input_.empty()) program_.input.reset();
    while (program_.output.is_open() || program_.errors.is_open() || program_.ended.is_open()) {
      std::array<pollfd, 5> waited{{{call_, POLLIN, 0},
                                    {program_.output.get(), POLLIN, 0},
                                    {program_.errors.get(), POLLIN, 0},
                                    {program_.input.get(), POLLOUT, 0},
                                    {program_.ended.get(), POLLIN, 0}}};
      if (::poll(waited.data(), waited.size(), -1) < 0) continue;
      if (waited[0].revents != 0) return false;  // nothing is sent after a request: the other end is closed
      if (waited[1].revents != 0 && !pass_on(program_.output, FrameKind::output)) return false;
      if (waited[2].revents != 0 && !pass_on(program_.errors, FrameKind::errors)) return false;
      if (waited[3].revents != 0) give_input();
      if (waited[4].revents != 0) program_.ended.reset();  // it stays to be collected
    }
    return true;
  }

 private:
  bool pass_on(FileDescriptor& from, FrameKind kind) {
    const ssize_t got = ::read(from.get(), buffer_.data(), buffer_.size());
    if (got < 0 && (errno == EAGAIN || errno == EINTR)) return true;
    if (got <= 0) {
      from.reset();
      return true;
    }
    return send_frame(call_, kind, 0, {buffer_.data(), static_cast<std::size_t>(got)});
  }

  void give_input() {
    const ssize_t taken = ::write(program_.input.get(), input_.data(), input_.size());
    if (taken > 0) input_.remove_prefix(static_cast<std::size_t>(taken));
    const bool again = taken < 0 && (errno == EAGAIN || errno == EINTR);
    if (input_.empty() || (taken < 0 && !again)) program_.input.reset();
  }

  int call_;
  StartedProgram& program_;
  std::string_view input_;
  std::array<char, std::size_t{64} * 1024> buffer_{};
};

int status_of(int process) {
  int status = 0;
  while (::waitpid(process, &status, 0) < 0 && errno == EINTR) {
  }
  return status;
}

bool confine(const void* with) { return static_cast<const ProgramConfinement*>(with)->put_into_force(); }

StartedProgram start(const ProgramRun& run, const ProgramRights& rights, const ProgramConfinement& confinement) {
  std::vector<std::string> arguments{run.program};
  arguments.insert(arguments.end(), run.arguments.begin(), run.arguments.end());
  const toolwire::system::ProgramImage image{rights.program, std::move(arguments), run.environment};
  const std::array<toolwire::system::StartStep, 1> steps{{{confine, &confinement}}};
  return toolwire::system::start_program({.image = image,
                                          .name = run.program,
                                          .directory = run.directory,
                                          .group = toolwire::system::ProgramStart::Group::session,
                                          .ends_with_parent = true,
                                          .steps = steps});
}

void run_program(int call, const ProgramRun& run, const ProgramRights& rights, const ProgramConfinement& confinement) {
  StartedProgram program = start(run, rights, confinement);
  if (const auto failure = toolwire::system::wait_for_start(program)) {
    send_frame(call, FrameKind::not_started, failure->error, {});
  } else if (Relay{call, program, run.input}.run()) {
    send_frame(call, FrameKind::ended, status_of(program.process), {});
    return;
  }
  ::kill(program.process, SIGKILL);
  status_of(program.process);
}

void answer(int call, const OfferedPrograms& programs, const Confinements& confinements) {
  const auto run = receive_run(call);
  const auto program = run ? programs.find(run->program) : programs.end();
  const auto confinement = run ? confinements.find(run->program) : confinements.end();
  if (program == programs.end() || confinement == confinements.end()) return;
  try {
    run_program(call, *run, program->second, confinement->second);
  } catch (const std::system_error& error) {
    send_frame(call, FrameKind::not_started, error.code().value(), {});
  }
}

/// Neither the client's streams nor anything else of the server stays open in the helper.
void close_all_but(std::vector<int> kept) {
  const int nothing = ::open("/dev/null", O_RDWR | O_CLOEXEC);
  for (const int stream : {STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO}) ::dup2(nothing, stream);
  kept.insert(kept.end(), {STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO});
  std::sort(kept.begin(), kept.end());
  constexpr int beyond_all = 4096;
  for (int number = 0; number < beyond_all; ++number) {
    if (!std::binary_search(kept.begin(), kept.end(), number)) ::close(number);
  }
}

Confinements prepare(int socket, const OfferedPrograms& programs) {
  Confinements confinements;
  std::vector<int> kept{socket};
  std::vector<ProgramRights> all;
  for (const auto& [name, rights] : programs) {
    kept.push_back(confinements.try_emplace(name, rights).first->second.rules());
    all.push_back(rights);
  }
  close_all_but(std::move(kept));
  if (!confine_to(all)) ::_exit(1);
  return confinements;
}

[[noreturn]] void serve_calls(int socket, const OfferedPrograms& programs) {
  const Confinements confinements = prepare(socket, programs);
  ::signal(SIGCHLD, SIG_IGN);  // the processes of calls vanish when they end
  while (true) {
    const FileDescriptor call{receive_descriptor(socket)};
    if (!call.is_open()) ::_exit(0);
    if (::fork() != 0) continue;  // without a process the call's end is closed, which is the answer
    ::signal(SIGCHLD, SIG_DFL);
    ::close(socket);
    answer(call.get(), programs, confinements);
    ::_exit(0);
  }
}

}  // namespace

void serve_runs(int socket, const OfferedPrograms& programs) {
  ::setsid();                  // a terminal's signals are for the server
  ::signal(SIGPIPE, SIG_IGN);  // a program need not read what it is given
  try {
    serve_calls(socket, programs);
  } catch (const std::exception&) {
    ::_exit(1);
  }
}

}  // namespace workspace
