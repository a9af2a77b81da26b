// How the bridge prepares its own process before it starts any other. To be called at the start of main, while there is
// one thread.
#pragma once

#include <cstddef>
#include <optional>

namespace toolwire::bridge {

/// Whatever of the standard streams is closed becomes /dev/null: no descriptor that is opened later is taken for the
/// connection to the host.
void open_standard_streams();

/// Moves the environment away from where the system shows it to other processes (/proc/PID/environ): secrets given to
/// the bridge are not for the programs it runs. getenv keeps working.
void hide_environment();

/// Raises the limit of open descriptors to what the system allows: thousands of waiting calls each hold some.
void raise_descriptor_limit();

/// How many descriptors may be open; nothing if there is no limit. From any thread, at any time.
std::optional<std::size_t> descriptor_limit();

}  // namespace toolwire::bridge
