// What a configuration says of NATS, for replicas: the bus of their events, and the workers whose tools they offer.
#pragma once

#include <memory>
#include <toolwire/nats.hpp>

#include "commands/serve_options.hpp"
#include "configuration/nats_settings.hpp"

namespace toolwire::bridge::cluster {

/// Connected when it is first used. Throws std::invalid_argument for settings, keys or a file that cannot be used.
std::shared_ptr<nats::Client> nats_client(const NatsSettings& settings);

/// For `serve`. Throws the same.
void use_nats(const NatsSettings& settings, ServeOptions& options);

}  // namespace toolwire::bridge::cluster
