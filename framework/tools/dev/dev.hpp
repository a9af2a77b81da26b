// `toolwire dev -- SERVER`: a server that a host keeps while it is built again and again.
#pragma once

#include <string>
#include <vector>

namespace toolwire::dev {

/// `arguments` without the word. Returns the exit status.
int dev_command(const std::vector<std::string>& arguments);

}  // namespace toolwire::dev
