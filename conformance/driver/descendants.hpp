// Finds and ends processes that a server left behind; looks for them in /proc only.
#pragma once

#include <sys/types.h>

#include <chrono>
#include <map>
#include <string>
#include <vector>

namespace toolwire::conformance {

/// The variable whose value marks every descendant of one run, whatever group, session or parent it has now.
inline constexpr const char* mark_variable = "TOOLWIRE_CONFORMANCE_RUN";

/// Makes orphans of our descendants ours, so that none escapes. Once per process.
void adopt_orphans();

/// The living processes that descend from `server` or carry `mark` in their environment, `server` excluded.
std::vector<pid_t> descendants_of(pid_t server, const std::string& mark);

/// Kills them, those they start meanwhile included.
void kill_descendants(pid_t server, const std::string& mark);

/// Kills one process.
void kill_process(pid_t process);

/// User and system time of a living process; zero if it is gone.
std::chrono::microseconds cpu_time_of(pid_t process);

/// For how long each thread of a living process has run, or could not go on since others had the processors. Nothing
/// where the kernel does not tell.
std::map<pid_t, std::chrono::microseconds> wanted_cpu_times_of(pid_t process);

}  // namespace toolwire::conformance
