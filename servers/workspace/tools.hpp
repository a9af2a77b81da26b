// The tools of the workspace server: what is told about them, their arguments, and which part does the work.
// The only file of this folder, besides main.cpp, that knows the framework.
#pragma once

#include <string>
#include <toolwire/server.hpp>

#include "workspace/root.hpp"

namespace workspace {

/// What the server says about itself to the model.
std::string instructions(const Root& root);

/// Registers read_file, list_files and search_text. `root` must outlive the server.
void add_tools(toolwire::Server& server, const Root& root);

}  // namespace workspace
