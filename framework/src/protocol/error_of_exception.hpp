// The JSON-RPC error that an exception becomes for prompts, resources and lists; tools answer with error results.
#pragma once

#include <exception>

#include "protocol/request.hpp"

namespace toolwire::protocol {

/// Details of exceptions that were not meant for the client go to stderr, never to the wire.
ProtocolError error_of_exception(const std::exception_ptr& thrown, const Request& request);

}  // namespace toolwire::protocol
