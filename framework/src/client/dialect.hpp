// What accompanies every request once the revision is negotiated. Independent of the
// connection.
#pragma once

#include <toolwire/client.hpp>
#include <toolwire/json.hpp>

#include <string>
#include <string_view>
#include <vector>

#include "protocol/revision.hpp"

namespace toolwire::client {

/// A member of `_meta` with its value as JSON text.
struct MetaMember {
  std::string_view key;
  std::string text;
};

/// The client as it introduces itself, and the revision spoken. A plain value.
struct Dialect {
  const protocol::Revision* revision = nullptr;  // null before the handshake: nothing is added
  JsonObject client_info = {};
  JsonObject capabilities = {};

  [[nodiscard]] bool modern() const { return revision != nullptr && revision->modern; }

  /// What the revision wants in `_meta` of every request, written once for all of them.
  [[nodiscard]] std::vector<MetaMember> request_meta() const;
};

/// The client's own part of a dialect.
Dialect dialect_of(const ClientOptions& options);

}  // namespace toolwire::client
