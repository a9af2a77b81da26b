// The keys that replicas and workers share: in variables.
#pragma once

#include <toolwire/system/state_secrets.hpp>

namespace toolwire::bridge::cluster {

/// Throws std::invalid_argument if there is no first key, and as system::state_secrets does.
system::StateSecrets shared_secrets();

}  // namespace toolwire::bridge::cluster
