// The early end of a run: by a signal, or because its time is over. Servers that were started end in any case.
#pragma once

#include <string_view>

#include "driver/recording.hpp"

namespace toolwire::conformance {

/// From now on SIGINT, SIGTERM and SIGHUP kill every descendant of this process and remove its temporary files before
/// they end it. Call once, before
/// any thread is started.
void clean_up_when_interrupted();

/// From now on the first SIGINT only asks for the end of the run, so that there is a report of what was found. A
/// second one that does not come at the same time, and the other signals, end the program as before.
void report_when_interrupted();

/// Asks for the end of the run once that time has come.
void end_run_at(Clock::time_point time);

enum class RunEnd { none, signal, budget };
/// What has asked for the end of the run so far: who is told of one must leave its work. Any thread.
RunEnd run_end();
/// What `run_end` has told anybody of: nothing, if the run was through before.
RunEnd noticed_run_end();
/// "it was interrupted", "its time was over"; "" where nothing has asked for it.
std::string_view text_of(RunEnd end);

/// Thrown out of a wait for a server once the run is to end. It is no std::exception: nothing has failed.
struct RunEnded {};

}  // namespace toolwire::conformance
