#include "process/spawn.hpp"

#include <poll.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <csignal>
#include <cstdint>
#include <system_error>
#include <toolwire/system/find_program.hpp>
#include <utility>

#include "confinement/prepared.hpp"
#include "process/keeper.hpp"
#include "process/streams.hpp"

namespace toolwire::bridge {
namespace {

using system::ProgramStart;
using system::StartFailure;

[[noreturn]] void fail(int error, const std::string& what) {
  throw std::system_error(error, std::generic_category(), what);
}

std::string program_of(const ProcessStart& start) {
  const auto folders = start.environment.find("PATH");
  const std::string& name = start.command.at(0);
  auto found = system::find_program(name, folders == start.environment.end() ? "/usr/bin:/bin" : folders->second,
                                    system::RelativeFolders::skipped);
  if (!found) fail(ENOENT, "cannot start \"" + name + "\": no such program in PATH");
  return std::move(*found);
}

std::vector<std::string> entries_of(const std::map<std::string, std::string>& environment) {
  std::vector<std::string> entries;
  entries.reserve(environment.size());
  for (const auto& [name, value] : environment) entries.push_back(name + "=" + value);
  return entries;
}

// The last steps before the program, in their order.
constexpr int rules = 0, limits = 1, confinement = 2;

bool take_rules(const void* steps) { return complete_rules(*static_cast<const ConfinementSteps*>(steps)); }
bool take_limits(const void* steps) { return apply_limits(*static_cast<const ConfinementSteps*>(steps)); }
bool take_confinement(const void* steps) { return apply_confinement(*static_cast<const ConfinementSteps*>(steps)); }

const char* words_for(const StartFailure& failure) {
  switch (failure.step) {
    case StartFailure::Step::fork:
      return "no further process";
    case StartFailure::Step::group:
      return "its session";
    case StartFailure::Step::streams:
      return "its streams";
    case StartFailure::Step::directory:
      return "its directory";
    case StartFailure::Step::own:
      return failure.number == limits ? "its limits" : "its confinement";
    case StartFailure::Step::exec:
      break;
  }
  return "the program";
}

bool has_ended_within(const system::StartedProgram& keeper, std::chrono::milliseconds time) {
  const auto limit = std::chrono::steady_clock::now() + time;
  pollfd ended{keeper.ended.get(), POLLIN, 0};
  while (true) {
    const auto left = std::chrono::ceil<std::chrono::milliseconds>(limit - std::chrono::steady_clock::now());
    const int result = ::poll(&ended, 1, static_cast<int>(std::max<std::int64_t>(left.count(), 0)));
    if (result >= 0 || errno != EINTR) return result > 0;
  }
}

}  // namespace

system::StartedProgram spawn(const ProcessStart& start) {
  const std::string program = program_of(start);
  std::map<std::string, std::string> environment = start.environment;
  PreparedConfinement prepared(start.confinement, start.kernel, program, environment);
  const system::ProgramImage image(program, start.command, entries_of(environment));
  const ConfinementSteps confined = prepared.steps();
  std::array<system::StartStep, 3> steps{};
  steps[rules] = {take_rules, &confined};
  steps[limits] = {take_limits, &confined};
  steps[confinement] = {take_confinement, &confined};
  const KeeperPlan plan{.temporary_folder = prepared.temporary_folder(),
                        .control_group = prepared.control_group(),
                        .bridge = system::own_process_id()};
  system::StartedProgram started = system::start_program(
      {.image = image,
       .name = start.command.front(),
       .directory = start.directory,
       .input = start.takes_input ? ProgramStart::Input::pipe : ProgramStart::Input::nothing,
       .group =
           ProgramStart::Group::session,  // a group of its own, and no terminal on which it could ask for passwords
       .ends_with_parent = true,
       .steps = steps,
       .keeper = keeper_with(plan)});
  const int error = errno;
  prepared.give_away();
  if (started.ended.is_open()) return started;
  // Without a descriptor nobody would hear of its end.
  kill_keeper(started);
  collect(started.process);
  const std::string what = "cannot watch over \"" + start.command.front() + "\"";
  fail(error, error == ENOSYS ? what + ", for which Linux 5.3 or newer is needed" : what);
}

void ask_to_end(const system::StartedProgram& keeper) {
  ::kill(keeper.process, signal_to_ask());
  go_on(keeper);
}

void end_now(const system::StartedProgram& keeper) {
  ::kill(keeper.process, signal_to_end());
  go_on(keeper);
}

void go_on(const system::StartedProgram& keeper) { ::kill(keeper.process, SIGCONT); }

void kill_keeper(const system::StartedProgram& keeper) { ::kill(keeper.process, SIGKILL); }

void end_and_collect(system::StartedProgram& keeper) {
  end_now(keeper);
  if (!has_ended_within(keeper, keeper_patience)) kill_keeper(keeper);
  if (has_ended_within(keeper, keeper_patience)) collect(keeper.process);
}

std::optional<std::string> why_not_started(const system::StartedProgram& keeper, const std::string& program) {
  const auto failure = system::start_failure(keeper);
  if (!failure) return std::nullopt;
  return "cannot start \"" + program + "\": " + words_for(*failure) + ": " +
         std::generic_category().message(failure->error);
}

}  // namespace toolwire::bridge
