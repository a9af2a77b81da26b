// How a program writes to the person who runs it while its standard output belongs to the protocol. Independent of
// levels and clients; messages for a client go through a tool's context.
#pragma once

#include <string_view>

namespace toolwire {

/// Writes "toolwire: <text>" as one line to stderr, hidden characters as escapes, line feeds as "|". Never blocks and
/// never throws: a host that does not read stderr loses the oldest lines, which are counted. Thread-safe.
void log_line(std::string_view text) noexcept;

}  // namespace toolwire
