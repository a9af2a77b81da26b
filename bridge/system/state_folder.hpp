// Where bridges keep what outlives them.
#pragma once

#include <string>
#include <string_view>

namespace toolwire::bridge {

/// The folder NAME of this user: $XDG_STATE_HOME/toolwire/NAME, else ~/.local/state/toolwire/NAME. It need not be
/// there. Empty if neither variable has an absolute path.
std::string state_folder(std::string_view name);

}  // namespace toolwire::bridge
