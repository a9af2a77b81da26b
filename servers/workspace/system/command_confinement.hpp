// What a command may do that a model has asked for: read the system's software and given folders, change what is in
// others, start programs, and little else. Put into force between fork and exec. Independent of who approved it.
#pragma once

#include <cstdint>
#include <string>
#include <toolwire/system/landlock.hpp>
#include <vector>

#include "workspace/system/call_filter.hpp"

namespace workspace {

/// A plain value. Paths are absolute, without links.
struct CommandRights {
  std::vector<std::string> read = {};    // folders whose files are read and executed
  std::vector<std::string> change = {};  // the same, and changed; Landlock's rights reach all below
  bool network = false;                  // sockets of IPv4 and IPv6
  bool proc = false;                     // /proc, and address space without a bound of its own: sanitizers need both
  std::uint64_t memory = 4ULL << 30;     // bytes of its own data, of each process
  std::uint64_t processes = 512;         // processes and threads of one command
  std::uint64_t file_size = 4ULL << 30;  // bytes of each file it writes
};

/// Why commands cannot be confined here, so that none is run; empty if they can.
std::string command_confinement_problem();

/// For people and models: what holds commands in on this kernel, and what does not.
std::string confinement_text(const CommandRights& rights);

/// Takes from the process that starts commands every right to files that no command has, but looking at processes. Its
/// own folders are those of the rights. False with errno, or throws std::system_error.
bool confine_command_helper(const CommandRights& rights);

/// Immutable once made.
class CommandConfinement {
 public:
  /// `threads`: how many the user's processes may have together. Throws std::system_error.
  CommandConfinement(const CommandRights& rights, std::uint64_t threads);

  /// For this process, which becomes the program next. Sends the listener for its metadata calls by this socket.
  /// Async-signal-safe. False with errno.
  bool put_into_force(int socket) const;

 private:
  CommandRights rights_;
  std::uint64_t threads_;
  toolwire::system::LandlockRules rules_;
  CallFilter filter_;
};

}  // namespace workspace
