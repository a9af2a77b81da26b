#include "process/start.hpp"

#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <stdexcept>
#include <string_view>
#include <system_error>
#include <toolwire/system/find_program.hpp>
#include <utility>

#include "process/lasting_thread.hpp"

namespace toolwire::process {
namespace {

using system::ProgramStart;
using system::StartFailure;

[[noreturn]] void fail(int error, const std::string& what) {
  throw std::system_error(error, std::generic_category(), what);
}

void refuse_nul(const std::string& text, const char* what) {
  if (text.find('\0') != std::string::npos) throw std::invalid_argument(std::string{what} + " contains a NUL byte");
}

void check(const Program& program) {
  if (program.command.empty() || program.command.front().empty())
    throw std::invalid_argument("no program to start was given: the command is empty");
  for (const std::string& argument : program.command) refuse_nul(argument, "an argument of the program");
  refuse_nul(program.directory, "the program's directory");
  for (const auto& [name, value] : program.environment) {
    if (name.empty() || name.find('=') != std::string::npos)
      throw std::invalid_argument("\"" + name + "\" cannot be the name of an environment variable");
    refuse_nul(name, "the name of an environment variable");
    refuse_nul(value, "the value of an environment variable");
  }
}

std::vector<std::string> environment_of(const Program& program) {
  std::vector<std::string> all;
  for (char** entry = ::environ; program.inherit_environment && entry != nullptr && *entry != nullptr; ++entry) {
    const std::string_view text{*entry};
    if (!program.environment.contains(std::string{text.substr(0, text.find('='))})) all.emplace_back(text);
  }
  for (const auto& [name, value] : program.environment) all.push_back(name + "=" + value);
  return all;
}

std::string search_path(const std::vector<std::string>& environment) {
  for (const std::string& entry : environment) {
    if (entry.starts_with("PATH=")) return entry.substr(5);
  }
  return system::usual_folders;
}

std::string file_of(const std::string& name, const std::string& folders) {
  auto found = system::find_program(name, folders, system::RelativeFolders::searched);
  if (!found) fail(ENOENT, "cannot start \"" + name + "\": no such program in PATH (" + folders + ")");
  return std::move(*found);
}

ProgramStart::Errors errors_of(const Program& program) {
  switch (program.errors) {
    case Program::Errors::inherit:
      return ProgramStart::Errors::inherited;
    case Program::Errors::discard:
      return ProgramStart::Errors::discarded;
    case Program::Errors::keep_tail:
      break;
  }
  return ProgramStart::Errors::pipe;
}

std::string describe(const ProgramStart& start, StartFailure::Step step) {
  std::string text = "cannot start \"" + start.name + "\"";
  switch (step) {
    case StartFailure::Step::directory:
      return text + " in the directory \"" + start.directory + "\"";
    case StartFailure::Step::streams:
      return text + ": redirecting its streams";
    case StartFailure::Step::group:
      return text + ": making its process group";
    case StartFailure::Step::fork:
    case StartFailure::Step::own:
    case StartFailure::Step::exec:
      break;
  }
  return text;
}

void reap(system::ProcessId process) {
  while (::waitpid(process, nullptr, 0) < 0 && errno == EINTR) {
  }
  system::forget_started(process);
}

system::StartedProgram forked(const ProgramStart& start) {
  if (!start.ends_with_parent) return system::start_program(start);
  system::StartedProgram started;
  run_on_lasting_thread([&] { started = system::start_program(start); });
  return started;
}

}  // namespace

system::StartedProgram start(const Program& program) {
  check(program);
  std::vector<std::string> environment = environment_of(program);
  std::string path = file_of(program.command.front(), search_path(environment));
  const system::ProgramImage image(std::move(path), program.command, std::move(environment));
  const bool socket = program.streams == Program::Streams::socket;
  const ProgramStart start{.image = image,
                           .name = image.path(),
                           .directory = program.directory,
                           .input = socket ? ProgramStart::Input::socket : ProgramStart::Input::pipe,
                           .errors = errors_of(program),
                           .group = program.own_group ? ProgramStart::Group::group : ProgramStart::Group::of_parent,
                           .ends_with_parent = program.end_with_parent};
  system::StartedProgram started = forked(start);
  const auto failure = system::wait_for_start(started);
  if (!failure) return started;
  reap(started.process);
  fail(failure->error, describe(start, failure->step));
}

}  // namespace toolwire::process
