// For what fails with every request as long as something is away: a log that says so once and again, and does not fill
// a disk with it.
#pragma once

#include <string_view>

#include "toolwire/detail/log_level.hpp"

namespace toolwire::process {

/// As `log`, but of a text that was logged less than ten seconds ago only the number of times is kept, which the next
/// entry of this text names. Thread-safe.
void log_rarely(LogLevel level, std::string_view text) noexcept;

}  // namespace toolwire::process
