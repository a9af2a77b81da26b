// `toolwire pack … -- SERVER ARGS…`: makes packages of a server.
#pragma once

#include <string>
#include <vector>

namespace toolwire::pack {

/// Takes its arguments without its own name; returns an exit status as the commands about hosts do.
int pack_command(const std::vector<std::string>& arguments);

}  // namespace toolwire::pack
