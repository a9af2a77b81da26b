#include "workspace/system/program_helper.hpp"

#include <poll.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <csignal>
#include <system_error>
#include <toolwire/system/program_start.hpp>
#include <utility>
#include <vector>

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

/// Descriptors of the rules stay open.
std::vector<int> prepare(const OfferedPrograms& programs, Confinements& confinements) {
  std::vector<int> kept;
  std::vector<ProgramRights> all;
  for (const auto& [name, rights] : programs) {
    kept.push_back(confinements.try_emplace(name, rights).first->second.rules());
    all.push_back(rights);
  }
  if (!confine_to(all)) throw std::system_error(errno, std::generic_category(), "the helper cannot be confined");
  return kept;
}

}  // namespace

HelperProcess start_program_helper(OfferedPrograms programs) {
  Confinements confinements;  // made in the helper
  return HelperProcess::start({.prepare = [&] { return prepare(programs, confinements); },
                               .answer = [&](int call) { answer(call, programs, confinements); }});
}

}  // namespace workspace
