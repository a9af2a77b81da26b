// The logins of remote servers, as the commands of the bridge use them.
#pragma once

#include <string>
#include <vector>

#include "activities/factory.hpp"
#include "activities/mcp/options.hpp"

namespace toolwire::bridge {

/// From now on the requests of a remote server carry the tokens of its login, unless its settings say otherwise. To be
/// called once its settings are complete.
void give_login(mcp::BackEndOptions& server, const ActivityServices& services);

/// The files in which logins of these servers are kept, whether they are there or not; their folder is made.
std::vector<std::string> login_files(const std::vector<mcp::BackEndOptions>& servers);

}  // namespace toolwire::bridge
