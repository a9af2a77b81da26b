// The files of the system that programs need to run at all where they see only their workspace.
#pragma once

#include <toolwire/system/landlock.hpp>

namespace toolwire::bridge {

/// Allows reading the system's software and its settings, but no user's files.
void allow_system_files(system::LandlockRules& rules);

/// Allows /dev/null, /dev/zero and the like.
void allow_plain_devices(system::LandlockRules& rules);

}  // namespace toolwire::bridge
