#include "cluster/secrets.hpp"

#include <stdexcept>

namespace toolwire::bridge::cluster {

system::StateSecrets shared_secrets() {
  system::StateSecrets keys = system::state_secrets();
  if (keys.key.empty())
    throw std::invalid_argument(
        "TOOLWIRE_STATE_KEY is not set: expected a secret of at least 16 bytes, the same for all replicas and workers");
  return keys;
}

}  // namespace toolwire::bridge::cluster
