// How client and server agree on a revision: by a probe, by `initialize`, or because ClientOptions names a modern one.
#pragma once

#include <toolwire/client.hpp>

#include "client/connection.hpp"

namespace toolwire::client {

/// The revision asked for, or null for any. Throws std::invalid_argument if it is unknown.
const protocol::Revision* wished_revision(const ClientOptions& options);

/// Whether the first message will be a probe, at which a legacy server may exit.
bool begins_with_probe(const ClientOptions& options);

/// Agrees on a revision and makes the connection speak it. Throws as the constructor of Client.
ServerDescription shake_hands(Connection& connection);

}  // namespace toolwire::client
