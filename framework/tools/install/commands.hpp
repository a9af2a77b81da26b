// The commands of `toolwire` about hosts. Each takes its arguments without its own name, writes to the standard
// streams, and returns an exit status (see Status in request.hpp).
#pragma once

#include <string>
#include <vector>

namespace toolwire::install {

int install_command(const std::vector<std::string>& arguments);
int uninstall_command(const std::vector<std::string>& arguments);
int list_command(const std::vector<std::string>& arguments);
int doctor_command(const std::vector<std::string>& arguments);

}  // namespace toolwire::install
