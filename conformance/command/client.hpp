// toolwire-conformance client: judges a host, or a client, by playing its server.
#pragma once

#include <string>
#include <vector>

namespace toolwire::conformance {

/// `arguments` stand behind "client". Returns the exit status. Throws UsageEnd, and std::system_error if the host
/// cannot be started.
int client(const std::vector<std::string>& arguments);

}  // namespace toolwire::conformance
