// What a server says it can do, in `initialize` and in `server/discover`. It says the same to every client.
#pragma once

#include <string>
#include <string_view>

#include "protocol/service.hpp"

namespace toolwire::protocol {

/// JSON text of ServerCapabilities.
std::string_view server_capabilities();
/// Appends `,"instructions":…` if the server has any.
void append_instructions(std::string& out, const Service& service);

}  // namespace toolwire::protocol
