// Signals that ask a process to end or tell it of a broken pipe: who takes them.
#pragma once

#include <initializer_list>

namespace toolwire::system {

enum class Signal { terminate, interrupt, hangup, broken_pipe };

/// Blocks them in this thread and in all threads that it starts from now on.
void block_signals(std::initializer_list<Signal> signals);

/// Undoes that in this thread: one that has come meanwhile arrives now.
void unblock_signals(std::initializer_list<Signal> signals);

/// Waits until one of them arrives. They must be blocked in every thread.
void wait_for_signal(std::initializer_list<Signal> signals);

/// As if another process had sent it.
void send_to_this_process(Signal signal);

/// Ignores it in the whole process.
void ignore_signal(Signal signal);

}  // namespace toolwire::system
