// The methods a client may request, and the notifications it may send. Adding a method: one line in methods.cpp, and
// one file.
#pragma once

#include <string_view>

#include "protocol/exchange.hpp"

namespace toolwire::protocol {

/// Answers a request, or has the engine answer it. Runs on the driver; must not wait. Throws ProtocolError to fail the
/// request, and has then not passed the exchange on.
using MethodHandler = void (*)(Exchange&& exchange);

/// The handler of a method in a revision (null: before the handshake), or null if the revision has no such method or
/// the server offers nothing it could be used for.
MethodHandler find_method(std::string_view name, const Revision* revision, Features offered);

/// Acts on a notification; unknown and malformed ones are passed over in silence (JSON-RPC 2.0 §4.1).
void on_notification(Connection& connection, std::string_view name, const JsonObject& params);

}  // namespace toolwire::protocol
