// Signals that ask a process to end or tell it of a broken pipe: who takes them.
#pragma once

#include <initializer_list>

namespace toolwire::system {

enum class Signal { terminate, interrupt, hangup, broken_pipe };

/// In this thread, and in all that it starts from now on.
void block_signals(std::initializer_list<Signal> signals);

/// Until one of them comes, which are blocked in every thread.
void wait_for_signal(std::initializer_list<Signal> signals);

/// For the whole process.
void ignore_signal(Signal signal);

}  // namespace toolwire::system
