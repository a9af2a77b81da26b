// How a program writes to the person who runs it while its standard output belongs to the protocol. Independent of
// clients; messages for a client go through a tool's context.
#pragma once

#include <string_view>

#include "toolwire/detail/log_level.hpp"

namespace toolwire {

/// Writes "toolwire: <text>" as one line to stderr, hidden characters as escapes, line feeds as "|", or hands it to the
/// program's sink (toolwire/log.hpp). Never blocks and never throws: a host that does not read stderr loses the oldest
/// lines, which are counted. Without a level: a notice. Thread-safe.
void log_line(LogLevel level, std::string_view text) noexcept;
void log_line(std::string_view text) noexcept;

/// For what fails with every request as long as something is away: of a text that was logged less than ten seconds ago
/// only the number of times is kept, which the next entry of this text names. Thread-safe.
void log_rarely(LogLevel level, std::string_view text) noexcept;

}  // namespace toolwire
