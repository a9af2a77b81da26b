// Header fields that repeat what is in the body, so that a balancer can route without reading it: they have to say the
// same (2026-07-28 basic/transports/streamable-http, request metadata).
#pragma once

#include <string>

#include "header_fields.hpp"
#include "jsonrpc/message.hpp"
#include "protocol/service.hpp"
#include "sender.hpp"

namespace toolwire::http {

/// What is missing or different in `Mcp-Method`, `Mcp-Name` and `Mcp-Param-…`; empty: nothing. Nothing is said of the
/// parameters of a tool that its sender does not see.
std::string mismatch_in(const HeaderFields& fields, const jsonrpc::Request& request, const protocol::Service& service,
                        const Sender& sender);

}  // namespace toolwire::http
