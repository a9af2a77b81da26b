// What goes with every request once it is known who speaks which revision with whom.
// Knows nothing of the connection.
#pragma once

#include <toolwire/client.hpp>
#include <toolwire/json.hpp>

#include "protocol/revision.hpp"

namespace toolwire::client {

/// The client as it introduces itself, and the revision spoken. A plain value.
struct Dialect {
  const protocol::Revision* revision = nullptr;  // null before the handshake: nothing is added
  JsonObject client_info = {};
  JsonObject capabilities = {};

  [[nodiscard]] bool modern() const { return revision != nullptr && revision->modern; }

  /// Adds what the revision wants in `params._meta`. Members the caller put there stay.
  [[nodiscard]] JsonObject complete(JsonObject params) const;
};

/// The client's own part of a dialect.
Dialect dialect_of(const ClientOptions& options);

}  // namespace toolwire::client
