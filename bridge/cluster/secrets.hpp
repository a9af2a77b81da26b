// The keys that replicas and workers share: in variables.
#pragma once

#include <string>

namespace toolwire::bridge::cluster {

/// TOOLWIRE_STATE_KEY, and TOOLWIRE_SECOND_STATE_KEY or nothing.
struct StateKeys {
  std::string key = {};
  std::string second = {};
};
/// Throws std::invalid_argument if there is no first key.
StateKeys state_keys();

}  // namespace toolwire::bridge::cluster
