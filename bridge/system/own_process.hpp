// How the bridge prepares its own process before it starts any other. To be called at the start of main, while there is
// one thread.
#pragma once

#include <string_view>
#include <vector>

namespace toolwire::bridge {

/// Whatever of the standard streams is closed becomes /dev/null: no descriptor that is opened later is taken for the
/// connection to the host.
void open_standard_streams();

/// Moves the environment away from where the system shows it to other processes (/proc/PID/environ): secrets given to
/// the bridge are not for the programs it runs. getenv keeps working.
void hide_environment();

/// The variables of this process, each as "NAME=value". Valid until one is set, which nothing here does.
std::vector<std::string_view> own_environment();

}  // namespace toolwire::bridge
