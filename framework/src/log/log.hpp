// One line on stderr that can never block or throw; how the framework writes to the person who runs the program.
#pragma once

#include <string_view>

namespace toolwire::process {

/// Hands "toolwire: <text>", hidden characters made visible, to a bounded buffer that a thread of its own writes to
/// stderr; when the reader of stderr is stuck, the oldest lines are dropped and counted. Thread-safe.
void log(std::string_view text) noexcept;

/// Waits until the buffer is written or `milliseconds` have passed. For the end of the program.
void flush_log(int milliseconds) noexcept;

}  // namespace toolwire::process
