// What a server says it can do, in `initialize` and in `server/discover`: one line of a table for each feature.
// It says the same to every client of a revision.
#pragma once

#include <string>

#include "protocol/service.hpp"

namespace toolwire::protocol {

/// JSON text of ServerCapabilities.
std::string server_capabilities(const Revision& revision, Features offered);
/// Appends `,"instructions":…` if the server has any.
void append_instructions(std::string& out, const Service& service);

}  // namespace toolwire::protocol
