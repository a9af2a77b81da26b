// What the framework, and log_line, have to say to whoever runs the program: lines on stderr, or entries for a function
// of the program's own. What a tool says to its client is another thing: Context::log.
#pragma once

#include <chrono>
#include <cstdint>
#include <functional>
#include <string>

#include "toolwire/detail/log_level.hpp"

namespace toolwire {

/// One message, and what it is about as far as that is known.
struct LogEntry {
  LogLevel level = LogLevel::warning;
  std::chrono::system_clock::time_point time = {};
  std::string tool = {};         // whose call it belongs to; empty: no tool's
  std::uint64_t connection = 0;  // on which that call came, counted from 1; 0: none. Over HTTP each request has its own
  std::string text = {};         // one line; hidden characters as escapes
};

using LogSink = std::function<void(const LogEntry&)>;

/// Has all messages of the process go to `sink` from now on; an empty one: to stderr, as lines "toolwire: <text>",
/// which is how a process begins. When this returns, the sink before is not called any more.
///
/// The sink is called on one thread, which does nothing else, one entry after the other, so that it may take its time:
/// who logs never waits for it. What waits is bounded by `Limits::log_buffer`; beyond, the oldest entries are dropped,
/// and an entry says how many. An entry for which the sink throws goes to stderr, and so does what it logs itself. Not
/// to be called with a lock that the sink takes. Whatever the sink uses has to live as long as the process, or until it
/// is replaced.
void set_log_sink(LogSink sink);

}  // namespace toolwire
