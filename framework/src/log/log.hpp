// A message that can never block or throw; how the framework writes to the person who runs the program.
#pragma once

#include <string_view>

#include "toolwire/detail/log_level.hpp"

namespace toolwire::process {

/// Hands the text, hidden characters made visible, with what is known of the call that this thread works on, to a
/// bounded buffer, which a thread of its own writes to stderr as "toolwire: <text>", or hands to the sink of the
/// program (see toolwire/log.hpp). When that is stuck, the oldest entries are dropped and counted. Thread-safe.
void log(LogLevel level, std::string_view text) noexcept;
inline void log(std::string_view text) noexcept { log(LogLevel::warning, text); }

/// Waits until the buffer is written or `milliseconds` have passed. For the end of the program.
void flush_log(int milliseconds) noexcept;

}  // namespace toolwire::process
