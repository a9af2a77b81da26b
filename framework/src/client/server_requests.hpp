// Answers what a server asks of a client, with the functions the embedding program gave. Independent of how the
// questions arrive: as requests (legacy) and inside a result (2026-07-28).
#pragma once

#include <toolwire/client.hpp>
#include <toolwire/json.hpp>

#include <string>

namespace toolwire::client {

/// The result for the server. Calls the program's functions; throws ProtocolError if it cannot or will not answer.
Json answer_server(const ClientOptions& options, const std::string& method, const Json& params);

/// Answers every question of an `input_required` result: the `inputResponses` for the repeated request.
/// Throws ProtocolError if the questions cannot be read or answered.
JsonObject answer_all(const ClientOptions& options, const Json& input_requests);

}  // namespace toolwire::client
