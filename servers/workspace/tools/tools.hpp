// The tools of the workspace server: their descriptions, their arguments, and which part does the work.
#pragma once

#include <string>
#include <toolwire/server.hpp>
#include <vector>

#include "workspace/commands/commands.hpp"
#include "workspace/system/programs.hpp"
#include "workspace/system/roots.hpp"

namespace workspace {

/// Which tools a server has.
struct ToolChoice {
  bool write = false;                  // also those that change files
  std::vector<std::string> only = {};  // by name; empty: all
  /// Results also as values, with their schemas, for programs. Hosts that find values in a result give a model these in
  /// the place of the text (Claude Code, Copilot CLI), or both (Copilot in JetBrains' editors).
  bool structured = false;
  const Programs* programs = nullptr;  // what runs git; null: the tools that need it are not there
  Commands* commands = nullptr;        // null: no command is run
};

/// What the server says about itself to the model.
std::string instructions(const Roots& roots, const ToolChoice& choice);

/// Registers the chosen tools, without those whose program is missing. `roots`, programs and commands must outlive
/// the server. Throws std::invalid_argument for a name that is no tool's, or one of a tool that writes while `write` is
/// not set, or whose program is missing.
void add_tools(toolwire::Server& server, const Roots& roots, const ToolChoice& choice = {});

}  // namespace workspace
