// The process that starts commands for this server, and each of theirs that watches over one: passes on what it writes,
// sets modes and times of its files, and ends all it has started when it has ended, or the server is gone. Independent
// of what the commands are and of who approved them.
#pragma once

#include <string>

#include "workspace/system/command_confinement.hpp"
#include "workspace/system/helper_process.hpp"

namespace workspace {

/// Where commands have their own folders: `home`, kept as long as the helper, and one for the temporary files of each.
struct CommandFolders {
  std::string top;   // absolute, without links
  std::string home;  // below it
};

/// Makes them. Throws std::system_error.
CommandFolders make_command_folders();

/// Takes ProgramRuns whose `program` is the path of a file, with its name first among the arguments; TMPDIR is added to
/// their environment. When the server shuts its end for writing the command is asked to end (SIGTERM), and has two
/// seconds; it is ended at once when the server sends a byte, or closes its end. Forks: before the first thread. Throws
/// std::system_error.
/// `kept` is a descriptor that stays open as long as the folders are needed.
HelperProcess start_command_helper(const CommandRights& rights, const CommandFolders& folders, int kept);

}  // namespace workspace
