// Who may not do what a request asks for is told so before it has begun, and what it takes (2026-07-28
// basic/authorization, scope challenge handling).
#pragma once

#include <optional>
#include <span>
#include <string>
#include <vector>

#include "jsonrpc/message.hpp"
#include "refusal.hpp"
#include "sender.hpp"
#include "toolwire/http/protected_resource.hpp"

namespace toolwire::http {

/// WWW-Authenticate for whoever lacks some of `needed`. It names these, what the resource asks of everybody, and what
/// the caller has, so that a client which asks for exactly this loses nothing by it. `resource`: null if it is not
/// known.
std::string scope_challenge(const ProtectedResource* resource, const std::vector<std::string>& needed,
                            const Principal& principal);

/// The refusal of these requests, which came together, if their sender lacks a scope that one of them needs: 403, with
/// all that they need. Nothing if it has them, or if it is not known yet who it is: then each is judged on its way.
std::optional<Refusal> refused_for_scopes(std::span<const jsonrpc::Request> requests, const protocol::Service& service,
                                          const Sender& sender, const ProtectedResource* resource);

}  // namespace toolwire::http
