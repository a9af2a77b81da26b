// The process that starts programs for this server, which itself may execute nothing once it is confined. It is forked
// before that, may read what its programs may read, and starts each program in a process of its own, confined further.
// Independent of what the programs are for.
#pragma once

#include <map>
#include <string>

#include "workspace/system/program_confinement.hpp"

namespace workspace {

/// The programs there are, by the names runs give.
using OfferedPrograms = std::map<std::string, ProgramRights>;

/// In the forked process: serves until the other end of `socket` is closed, and ends.
[[noreturn]] void serve_runs(int socket, const OfferedPrograms& programs);

}  // namespace workspace
