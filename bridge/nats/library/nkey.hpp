// The seed of a NATS user: a key (Ed25519) as text, with a check sum, as `nk -gen user` prints it. Independent of who
// asks for it.
#pragma once

#include <string>
#include <string_view>

namespace toolwire::nats {

/// The public key that belongs to a seed: "U" and 55 more letters and digits. Throws std::invalid_argument, saying what
/// was expected, and nothing of the seed.
std::string public_key_of(std::string_view seed);

/// A new seed, which nobody can guess. Throws std::runtime_error if the system has no source of randomness.
std::string new_seed();

}  // namespace toolwire::nats
