// `toolwire new NAME`: writes a project.
#pragma once

#include <string>
#include <vector>

namespace toolwire::projects {

/// Takes its arguments without its own name; returns an exit status as the commands about hosts do.
int new_command(const std::vector<std::string>& arguments);

}  // namespace toolwire::projects
