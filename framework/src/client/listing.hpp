// Lists that come in pages, followed to their end.
// Knows nothing of what is listed.
#pragma once

#include <toolwire/client.hpp>

#include <string_view>

namespace toolwire::client {

/// The array `member` of all results of `method`, following cursors. Throws as Client::request, and ProtocolError if
/// the server's pages make no sense.
JsonArray list_all(Client& client, std::string_view method, std::string_view member);

}  // namespace toolwire::client
