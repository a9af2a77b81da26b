// Starts a program under a keeper: a process between the bridge and the program that ends whatever the program leaves
// behind, even what has left its process group and session, when the program has ended or the bridge is gone.
// Independent of what is sent to the program.
#pragma once

#include <chrono>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include <toolwire/system/program_start.hpp>
#include "confinement/confinement.hpp"
#include "system/kernel.hpp"

namespace toolwire::bridge {

/// What is started. A plain value.
struct ProcessStart {
  std::vector<std::string> command = {};                ///< A name without slash is looked up in `environment`'s PATH.
  std::map<std::string, std::string> environment = {};  ///< All there is.
  std::string directory = {};                           ///< Empty: where the bridge is.
  bool takes_input = false;                             ///< Else its standard input is /dev/null.
  Confinement confinement = {};
  KernelSupport kernel = kernel_support();  ///< What may be made use of.
};

/// Starts the keeper, which ends with the program's status after everything the program left behind has ended. Throws
/// std::system_error if the program is not found, cannot be confined as required, or the system refuses; the text names
/// the program only. To be called on a thread that outlives the process.
system::StartedProgram spawn(const ProcessStart& start);

// A program may stop its keeper; each of these also lets it go on.

/// Asks the program and its group to end (SIGTERM).
void ask_to_end(const system::StartedProgram& keeper);
/// Ends the program and all it has started (SIGKILL).
void end_now(const system::StartedProgram& keeper);
/// Lets the keeper see what has become of its program.
void go_on(const system::StartedProgram& keeper);

/// How long a keeper may take to end what it was told to end.
inline constexpr std::chrono::seconds keeper_patience{3};
/// Ends a keeper that has not done so (SIGKILL). What it leaves comes back to this process, see `collect`.
void kill_keeper(const system::StartedProgram& keeper);
/// Ends the program, and the keeper if that takes too long, and collects it, unless the kernel does not let it go: then
/// it is left after a bounded time.
void end_and_collect(system::StartedProgram& keeper);

/// Why the program was not run, once the keeper has ended: "cannot start \"x\": …"; nothing if it was.
std::optional<std::string> why_not_started(const system::StartedProgram& keeper, const std::string& program);

}  // namespace toolwire::bridge
