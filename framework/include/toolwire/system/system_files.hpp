// The files of the system that programs need to run at all where they see only their workspace.
#pragma once

#include <toolwire/system/landlock.hpp>

namespace toolwire::system {

/// Allows reading the system's software and its settings, but no user's files; with `rights` that say so, also
/// executing that software.
void allow_system_files(LandlockRules& rules, FileRights rights = {.read = true});

/// Allows /dev/null, /dev/zero and the like.
void allow_plain_devices(LandlockRules& rules);

}  // namespace toolwire::system
