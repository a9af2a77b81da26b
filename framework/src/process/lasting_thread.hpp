// A thread that lasts as long as this process. The system ties a child to the thread that forked it: where the child is
// to end with the process, no other thread will do.
#pragma once

#include <functional>

namespace toolwire::process {

/// Calls the function on that thread, with all signals blocked, and returns when it has returned; throws what it
/// throws. The thread is started with the first call, in each process. Thread-safe; one call at a time, so it must be
/// short.
void run_on_lasting_thread(const std::function<void()>& function);

}  // namespace toolwire::process
