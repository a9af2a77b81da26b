// The tools of the workspace server: their descriptions, their arguments, and which part does the work.
#pragma once

#include <string>
#include <toolwire/server.hpp>
#include <vector>

#include "workspace/system/roots.hpp"

namespace workspace {

/// Which tools a server has.
struct ToolChoice {
  bool write = false;                  // also those that change files
  std::vector<std::string> only = {};  // by name; empty: all
};

/// What the server says about itself to the model.
std::string instructions(const Roots& roots, const ToolChoice& choice);

/// Registers the chosen tools. `roots` must outlive the server. Throws std::invalid_argument for a name that is no
/// tool's, or one of a tool that writes while `write` is not set.
void add_tools(toolwire::Server& server, const Roots& roots, const ToolChoice& choice = {});

}  // namespace workspace
