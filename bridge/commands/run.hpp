// `toolwire-bridge run --model-command CMD -- SERVER…`: an agent for a person at a terminal.
#pragma once

namespace toolwire::bridge {

/// The command with its arguments; `argv[0]` is its own name. Returns the exit status: 0 when the model's turn is over,
/// 1 if the model or the server failed, 2 for wrong arguments, 3 if a bound was met or the model's answer was cut off,
/// 130 if the task was stopped by the person or by a signal.
int run_command(int argc, const char* const* argv);

}  // namespace toolwire::bridge
