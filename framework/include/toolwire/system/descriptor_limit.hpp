// How many descriptors this process may have open.
#pragma once

#include <cstddef>
#include <optional>

namespace toolwire::system {

/// Raises the soft limit to the hard one: each peer and each waiting call holds some. Programs that are started by
/// `start_program` get the limit from before, because those that use select(2) take no number above 1023. A refusal of
/// the system changes nothing. Thread-safe.
void raise_descriptor_limit();

/// The soft limit; nothing if there is none.
std::optional<std::size_t> descriptor_limit();

/// In a forked process: the soft limit from before it was raised. Async-signal-safe.
void restore_descriptor_limit();

}  // namespace toolwire::system
