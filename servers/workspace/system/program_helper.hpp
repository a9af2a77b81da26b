// The process that starts programs for this server, which itself may execute nothing once it is confined. It is forked
// before that, may read what its programs may read, and starts each program in a process of its own, confined further.
// Independent of what the programs are for.
#pragma once

#include <map>
#include <string>

#include "workspace/system/helper_process.hpp"
#include "workspace/system/program_confinement.hpp"

namespace workspace {

/// The programs there are, by the names runs give.
using OfferedPrograms = std::map<std::string, ProgramRights>;

/// Throws std::system_error.
HelperProcess start_program_helper(OfferedPrograms programs);

}  // namespace workspace
