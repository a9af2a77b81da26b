// `toolwire inspect -- SERVER`: a local page to try a server with.
#pragma once

#include <string>
#include <vector>

namespace toolwire::inspect {

/// `arguments` without the word. Returns the exit status.
int inspect_command(const std::vector<std::string>& arguments);

}  // namespace toolwire::inspect
