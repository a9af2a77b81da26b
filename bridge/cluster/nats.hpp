// What a configuration says of NATS, for replicas: the bus of their events, and the workers whose tools they offer.
#pragma once

#include <chrono>
#include <memory>
#include <toolwire/nats.hpp>

#include "commands/serve_options.hpp"
#include "configuration/nats_settings.hpp"

namespace toolwire::bridge::cluster {

/// Connected when it is first used. Throws std::invalid_argument for settings, keys or a file that cannot be used.
std::shared_ptr<nats::Client> nats_client(const NatsSettings& settings);

/// How long a start waits for NATS to say whether it keeps tasks: longer than for the answer to a question, as a server
/// may not answer one that it does not allow. And what is said if it is away.
inline constexpr std::chrono::seconds start_patience{8};
inline constexpr const char* not_asked_yet = "NATS is away: whether it keeps tasks will be known when it is there";

/// For `serve`. Throws the same.
void use_nats(const NatsSettings& settings, ServeOptions& options);

}  // namespace toolwire::bridge::cluster
