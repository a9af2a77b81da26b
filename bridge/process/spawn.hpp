// Starts a program under a keeper: a process of ours between the bridge and the program, which ends whatever the
// program leaves behind, even what has taken itself out of its process group and session, when the program has ended or
// the bridge is gone. Independent of what is said to the program.
#pragma once

#include <sys/types.h>

#include <map>
#include <optional>
#include <string>
#include <vector>

#include <toolwire/system/file_descriptor.hpp>
#include "confinement/confinement.hpp"
#include "confinement/kernel.hpp"

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

/// A started keeper. It ends as the program did, after everything the program left behind.
struct StartedProcess {
  pid_t keeper = -1;
  system::FileDescriptor ended;  ///< Readable once the keeper has ended.
  system::FileDescriptor input;  ///< Closed without input. This and the next three are ours and do not block.
  system::FileDescriptor output;
  system::FileDescriptor errors;
  system::FileDescriptor failure;  ///< Says why the program was not run, if it was not.
};

/// Throws std::system_error if the program is not found, cannot be confined as it is to be, or the system refuses; the
/// text names the program only. On a thread that lives as long as the process may, with all signals blocked.
StartedProcess spawn(const ProcessStart& start);

/// Asks the program and its group to end (SIGTERM).
void ask_to_end(const StartedProcess& process);
/// Ends the program and all it has started (SIGKILL).
void end_now(const StartedProcess& process);

/// Why the program was not run, once the keeper has ended: "cannot start \"x\": …"; nothing if it was.
std::optional<std::string> start_failure(const StartedProcess& process, const std::string& program);

}  // namespace toolwire::bridge
