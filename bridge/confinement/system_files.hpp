// What programs need of the system to run at all, where they see only their workspace.
#pragma once

#include <toolwire/system/landlock.hpp>

namespace toolwire::bridge {

/// Allows to read the system's software and its settings, but nobody's own files.
void allow_system_files(system::LandlockRules& rules);

/// Allows what swallows, and where there is no end of zeros.
void allow_plain_devices(system::LandlockRules& rules);

}  // namespace toolwire::bridge
