// Sessions of the revisions with a handshake (2025-11-25 basic/transports, session management) without a table of them:
// what `initialize` has settled travels in the id itself, sealed as requestState is.
#pragma once

#include <chrono>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "protocol/connection.hpp"
#include "protocol/revision.hpp"

namespace toolwire::http {

struct Session {
  const protocol::Revision* revision = nullptr;
  std::shared_ptr<const protocol::LegacyClient> client = {};
};

/// The id; of a client that says a lot of itself only what the server asks about, in outline if need be. Empty if even
/// that is too long for a header field.
std::string sealed(const Session& session, const std::string& principal, std::chrono::system_clock::time_point expires);

/// Nothing if the id is not one of ours, has expired or is another principal's.
std::optional<Session> unsealed(std::string_view id, std::string_view principal,
                                std::chrono::system_clock::time_point now);

}  // namespace toolwire::http
