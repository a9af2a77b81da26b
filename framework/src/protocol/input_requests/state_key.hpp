// The key that seals requestState. It outlives the process, because hosts restart servers and use sibling processes.
#pragma once

#include <array>
#include <string>
#include <string_view>

namespace toolwire::protocol {

using StateKey = std::array<unsigned char, 32>;

/// From TOOLWIRE_STATE_KEY (any text of at least 16 bytes), else from a file only its owner can read in the user's
/// state folder, made when it is missing ($XDG_STATE_HOME/toolwire/state-key or ~/.local/state/…), else a key of this
/// process alone, which is reported on stderr. Read once, when first needed. Thread-safe.
const StateKey& state_key();

/// Whether the key is neither configured nor kept in a file, so that no other process has it. Thread-safe.
bool key_is_of_this_process();

/// Where a file beside the key belongs, its folder made; empty if this user has no home.
std::string state_file(std::string_view name);

}  // namespace toolwire::protocol
