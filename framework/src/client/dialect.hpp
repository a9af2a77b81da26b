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

/// Members of `_meta` as JSON text: one by one, and all as they stand in an object, between commas.
struct MetaText {
  struct Member {
    std::string_view key;
    std::string text;
  };
  std::vector<Member> members = {};
  std::string all = {};

  void add(std::string_view key, std::string text);
};

/// The client as it introduces itself, and the revision spoken. A plain value.
struct Dialect {
  const protocol::Revision* revision = nullptr;  // null before the handshake: nothing is added
  JsonObject client_info = {};
  JsonObject capabilities = {};

  [[nodiscard]] bool modern() const { return revision != nullptr && revision->modern; }

  /// What the revision wants in `_meta` of every request, written once for all of them.
  [[nodiscard]] MetaText request_meta() const;
};

/// The client's own part of a dialect.
Dialect dialect_of(const ClientOptions& options);

}  // namespace toolwire::client
