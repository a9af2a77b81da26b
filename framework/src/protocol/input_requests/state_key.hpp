// The keys that seal requestState. They outlive the process, because hosts restart servers and use sibling processes.
#pragma once

#include <array>
#include <optional>
#include <string>
#include <string_view>

namespace toolwire::protocol {

using StateKey = std::array<unsigned char, 32>;

/// All keys of a process: what is sealed is sealed with the first, and either opens.
struct StateKeys {
  StateKeys(const StateKey& key, const std::optional<StateKey>& other = {}) : first(key), second(other) {}

  StateKey first;
  std::optional<StateKey> second;
};

/// What a seal says of its key: bytes that depend on the key alone and tell nothing about it.
std::array<unsigned char, 6> id_of(const StateKey& key);

/// From TOOLWIRE_STATE_KEY (any text of at least 16 bytes), else from a file only its owner can read in the user's
/// state folder, made when it is missing, together with the file of used nonces ($XDG_STATE_HOME/toolwire/state-key or
/// ~/.local/state/…), else a key of this process alone, which is reported on stderr. Read once, when first needed.
/// Thread-safe. Throws as system::state_secrets does.
/// TOOLWIRE_SECOND_STATE_KEY names one more, which opens only: for a change of the key, see framework/README.md.
const StateKeys& state_keys();

/// Where the key is from, and with that who else has it: whoever has the same configuration, the processes of this
/// user, or nobody.
enum class KeyOrigin { configuration, file, this_process };

/// Thread-safe.
KeyOrigin key_origin();

/// Where a file beside the key belongs, its folder made; empty if this user has no home.
std::string state_file(std::string_view name);

}  // namespace toolwire::protocol
