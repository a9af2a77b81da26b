// Which resources clients may ask to hear of.
#pragma once

#include <string_view>

#include "protocol/exchange.hpp"

namespace toolwire::protocol {

/// Whether the server has the resource, or a template it fits, and tells when it changes.
bool can_watch_resource(const Exchange& exchange, std::string_view uri);

}  // namespace toolwire::protocol
