// The result of a reading as members of a wire result, and the errors of readings (specification: server/resources).
// Takes values, returns text; no threads, no state.
#pragma once

#include <string>

#include "features/resource_registry.hpp"
#include "protocol/exchange.hpp"

namespace toolwire::protocol {

/// The `uri` of the request. Throws -32602 if there is none, it is too long, or it is no URI.
std::string uri_in(const Exchange& exchange);

/// -32602 in 2026-07-28, -32002 before; data.uri names the resource.
ProtocolError not_found(const Revision& revision, const std::string& uri, const std::string& why);
/// The same for parameters that do not fit their struct: -32602 in every revision.
ProtocolError unusable_parameters(const std::string& uri, const std::string& violations);

/// Answers with what was read: contents, caching hints where the revision has them.
void answer_with_contents(const Exchange& exchange, const std::string& uri, const features::FoundResource& found,
                          const ResourceResult& result);

}  // namespace toolwire::protocol
