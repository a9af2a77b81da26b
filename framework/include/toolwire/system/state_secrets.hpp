// The secrets in variables of which the keys of sealed states are made, the same for all processes that open them.
#pragma once

#include <string>

namespace toolwire::system {

/// TOOLWIRE_STATE_KEY, and TOOLWIRE_SECOND_STATE_KEY, which opens only; empty where there is none.
struct StateSecrets {
  std::string key = {};
  std::string second = {};
};

/// Throws std::invalid_argument for a secret of less than 16 bytes. As if there were none, what others have sealed with
/// it would be refused, and so would this process' seals be by them.
StateSecrets state_secrets();

}  // namespace toolwire::system
