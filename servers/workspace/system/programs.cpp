#include "workspace/system/programs.hpp"

#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <filesystem>
#include <system_error>
#include <toolwire/error.hpp>
#include <toolwire/system/find_program.hpp>
#include <utility>

namespace workspace {
namespace {

using toolwire::system::FileDescriptor;

constexpr std::size_t most_errors = std::size_t{8} * 1024;

/// Empty if there is none.
std::string place_of(const std::string& name, const std::string& folders) {
  const auto found = toolwire::system::find_program(name, folders, toolwire::system::RelativeFolders::skipped);
  std::error_code error;
  const std::string place = found ? std::filesystem::canonical(*found, error).string() : std::string();
  return error ? std::string() : place;
}

[[noreturn]] void refuse(const std::string& program, const std::string& why) {
  throw toolwire::ToolError(program + ": " + why);
}

void take_status(ProgramOutput& result, int status) {
  if (WIFEXITED(status)) {
    result.exit_status = WEXITSTATUS(status);
    return;
  }
  result.exit_status = 128 + WTERMSIG(status);  // as shells have it
  result.errors += std::string("ended by the signal \"") + ::strsignal(WTERMSIG(status)) +
                   "\": it failed, or took more time or memory than it may";
}

/// Takes the frames of one run until its end, or until there is more output than is wanted.
ProgramOutput collect(int call, const std::string& program, std::size_t most, const std::stop_token& stop) {
  ProgramOutput result;
  while (const auto frame = receive_frame(call)) {
    if (frame->kind == FrameKind::not_started)
      refuse(program, std::string("cannot be started, confined as it would be: ") + std::strerror(frame->value));
    if (frame->kind == FrameKind::ended) {
      take_status(result, frame->value);
      return result;
    }
    if (frame->kind == FrameKind::errors) {
      if (result.errors.size() < most_errors) result.errors += frame->bytes;
      continue;
    }
    result.output += frame->bytes;
    if (result.output.size() <= most) continue;
    result.output.resize(most);
    result.is_cut = true;
    return result;
  }
  refuse(program, stop.stop_requested() ? "ended, because the call was cancelled or its time was over"
                                        : "its helper process has ended; start the server again");
}

}  // namespace

Programs Programs::start(const std::vector<Wanted>& wanted, const std::string& folders) {
  if (std::string problem = program_confinement_problem(); !problem.empty()) return Programs{std::move(problem)};
  Programs made{std::string()};
  OfferedPrograms offered;
  for (const Wanted& one : wanted) {
    const std::string place = place_of(one.name, folders);
    if (place.empty()) {
      made.problems_[one.name] = one.name + " is not installed, or not in PATH";
    } else {
      made.problems_[one.name] = {};
      offered[one.name] = {place, one.read};
    }
  }
  try {
    made.helper_ = start_program_helper(std::move(offered));
  } catch (const std::system_error& error) {
    return Programs{std::string(error.what())};
  }
  return made;
}

std::string Programs::problem(const std::string& name) const {
  if (!reason_.empty()) return reason_;
  const auto found = problems_.find(name);
  return found == problems_.end() ? "this server does not start " + name : found->second;
}

ProgramOutput Programs::run(const ProgramRun& run, const std::stop_token& stop, std::size_t most) const {
  if (const std::string why = problem(run.program); !why.empty()) refuse(run.program, why);
  const FileDescriptor end = helper_.call();
  if (!end.is_open()) refuse(run.program, "its helper process has ended; start the server again");
  const int call = end.get();
  const std::stop_callback on_stop{stop, [call] { ::shutdown(call, SHUT_RDWR); }};
  send_run(call, run);  // what is not heard is not answered
  return collect(call, run.program, most, stop);
}

}  // namespace workspace
