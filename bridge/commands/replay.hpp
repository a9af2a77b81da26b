// `toolwire-bridge replay TRANSCRIPT -- SERVER…`: runs the tool calls of a conversation, prints it with their results.
#pragma once

namespace toolwire::bridge {

/// The command with its arguments; `argv[0]` is its own name. Returns the exit status: 0 also if tools failed (their
/// results say so), 1 if the transcript cannot be read or the server cannot be started, 2 for wrong arguments.
int replay_command(int argc, const char* const* argv);

}  // namespace toolwire::bridge
