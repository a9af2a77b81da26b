// Ends the servers this program started before the program itself is ended by a signal.
#pragma once

namespace toolwire::conformance {

/// From now on SIGINT, SIGTERM and SIGHUP kill every descendant of this process before they end it. Call once, before
/// any thread is started.
void clean_up_when_interrupted();

}  // namespace toolwire::conformance
