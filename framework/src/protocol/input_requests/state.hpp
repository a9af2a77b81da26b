// Sealed requestState (2026-07-28 basic/patterns/mrtr): what a server must remember between asking and being called
// again travels with the client, encrypted and authenticated, so that the retry may reach another process.
#pragma once

#include <chrono>
#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "protocol/input_requests/state_key.hpp"
#include "toolwire/json.hpp"

namespace toolwire::protocol {

/// An open question: its key, and the one that the client knows it by.
struct AskedQuestion {
  std::string key;
  std::string shown_key;
  bool operator==(const AskedQuestion&) const = default;
};

struct State {
  std::string subject;  // what is run
  std::string arguments_digest;
  std::vector<AskedQuestion> asked;
  JsonObject answers;  // all given so far: a retry carries only the last ones
  std::chrono::system_clock::time_point expires;
  std::string caller = {};  // whose it is; empty: nobody's in particular
};

/// A digest of arguments that does not depend on the order of members or the spelling of numbers.
std::string digest_of(const Json& arguments);

/// The sealed text, base64url, which begins with the id of the key; empty if it would be longer than `bound` bytes.
std::string seal(const State& state, const StateKey& key, std::size_t bound);

/// The part of a sealed text that no two of them share.
std::string_view nonce_of(std::string_view text);

/// Whether a text that may be one of ours was sealed with one of these keys, as far as its beginning tells.
bool is_of_known_key(std::string_view text, const StateKeys& keys);

/// The state in a sealed text; nothing if it is not one of ours, was altered, or has expired at `now`.
std::optional<State> unseal(std::string_view text, const StateKeys& keys, std::size_t bound,
                            std::chrono::system_clock::time_point now);

}  // namespace toolwire::protocol
