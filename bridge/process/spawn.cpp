#include "process/spawn.hpp"

#include <fcntl.h>
#include <sys/syscall.h>
#include <sys/wait.h>

#include <algorithm>
#include <cerrno>
#include <csignal>
#include <system_error>
#include <toolwire/system/program_streams.hpp>
#include <utility>

#include "confinement/executables.hpp"
#include "confinement/prepared.hpp"
#include "process/keeper.hpp"

namespace toolwire::bridge {
namespace {

[[noreturn]] void fail(int error, const std::string& what) {
  throw std::system_error(error, std::generic_category(), what);
}

std::string program_of(const ProcessStart& start) {
  const auto folders = start.environment.find("PATH");
  const std::string& name = start.command.at(0);
  auto found = find_program(name, folders == start.environment.end() ? "/usr/bin:/bin" : folders->second);
  if (!found) fail(ENOENT, "cannot start \"" + name + "\": no such program in PATH");
  return std::move(*found);
}

/// What execve(2) wants, made before the fork. Points into itself.
class Image {
 public:
  Image(std::string path, std::vector<std::string> arguments, const std::map<std::string, std::string>& environment)
      : path_(std::move(path)), arguments_(std::move(arguments)) {
    for (const auto& [name, value] : environment) environment_.push_back(name + "=" + value);
    point(arguments_, argument_pointers_);
    point(environment_, environment_pointers_);
  }
  Image(const Image&) = delete;
  Image& operator=(const Image&) = delete;

  void add_to(KeeperPlan& plan) const {
    plan.path = path_.c_str();
    plan.arguments = argument_pointers_.data();
    plan.environment = environment_pointers_.data();
  }

 private:
  static void point(std::vector<std::string>& texts, std::vector<char*>& pointers) {
    for (std::string& text : texts) pointers.push_back(text.data());
    pointers.push_back(nullptr);
  }

  std::string path_;
  std::vector<std::string> arguments_;
  std::vector<std::string> environment_;
  std::vector<char*> argument_pointers_;
  std::vector<char*> environment_pointers_;
};

const char* words_for(StartFailure::Step step) {
  switch (step) {
    case StartFailure::Step::fork:
      return "no further process";
    case StartFailure::Step::streams:
      return "its streams";
    case StartFailure::Step::limits:
      return "its limits";
    case StartFailure::Step::directory:
      return "its directory";
    case StartFailure::Step::confinement:
      return "its confinement";
    case StartFailure::Step::exec:
      break;
  }
  return "the program";
}

}  // namespace

StartedProcess spawn(const ProcessStart& start) {
  const std::string program = program_of(start);
  std::map<std::string, std::string> environment = start.environment;
  PreparedConfinement confinement(start.confinement, start.kernel, program, environment);
  const Image image(program, start.command, environment);
  system::StreamEnds input = start.takes_input ? system::pipe_ends() : system::StreamEnds{system::null_device(), {}};
  system::StreamEnds output = system::pipe_ends();
  system::StreamEnds errors = system::pipe_ends();
  system::StreamEnds failure = system::pipe_ends();
  KeeperPlan plan{};
  image.add_to(plan);
  plan.directory = start.directory.empty() ? nullptr : start.directory.c_str();
  plan.input = input.first.get();
  plan.output = output.second.get();
  plan.errors = errors.second.get();
  plan.failure = failure.second.get();
  plan.confinement = confinement.steps();
  plan.temporary_folder = confinement.temporary_folder();
  plan.control_group = confinement.control_group();
  plan.bridge = ::getpid();
  const pid_t keeper = ::fork();
  if (keeper == 0) keep(plan);
  if (keeper < 0) fail(errno, "cannot start \"" + start.command.front() + "\"");
  confinement.give_away();
  StartedProcess started{keeper,
                         system::exit_descriptor(keeper),
                         std::move(input.second),
                         std::move(output.first),
                         std::move(errors.first),
                         std::move(failure.first)};
  if (!started.ended.is_open()) {
    const int error = errno;
    end_now(started);
    ::waitpid(keeper, nullptr, 0);
    fail(error, "cannot watch over \"" + start.command.front() + "\"");
  }
  for (const system::FileDescriptor* ours : {&started.input, &started.output, &started.errors, &started.failure})
    system::do_not_block(*ours);
  return started;
}

void ask_to_end(const StartedProcess& process) { ::kill(process.keeper, signal_to_ask()); }

void end_now(const StartedProcess& process) { ::kill(process.keeper, signal_to_end()); }

std::optional<std::string> start_failure(const StartedProcess& process, const std::string& program) {
  StartFailure failure{};
  if (::read(process.failure.get(), &failure, sizeof failure) != sizeof failure) return std::nullopt;
  return "cannot start \"" + program + "\": " + words_for(failure.step) + ": " +
         std::generic_category().message(failure.error);
}

}  // namespace toolwire::bridge
