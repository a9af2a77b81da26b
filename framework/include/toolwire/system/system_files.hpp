// The files of the system that programs need to run at all where they see only their workspace.
#pragma once

#include <string_view>
#include <toolwire/system/landlock.hpp>

namespace toolwire::system {

/// Allows reading the system's software and its settings, but no user's files; with `rights` that say so, also
/// executing that software.
void allow_system_files(LandlockRules& rules, FileRights rights = {.read = true});

/// Whether that allows a path, which is absolute and without links.
bool is_system_file(std::string_view path);

/// Allows /dev/null, /dev/zero and the like.
void allow_plain_devices(LandlockRules& rules);

}  // namespace toolwire::system
