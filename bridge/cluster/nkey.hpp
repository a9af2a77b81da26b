// `toolwire-cluster nkey FILE`: the key of a NATS user, in a file for its owner alone.
#pragma once

namespace toolwire::bridge::cluster {

/// The command with its arguments; `argv[0]` is its own name. Writes a new seed to a file that is not there yet, and
/// prints the public key, which the configuration of nats-server names. Returns the exit status.
int nkey_command(int argc, const char* const* argv);

}  // namespace toolwire::bridge::cluster
