// Moves, renames, deletes and makes directories without losing anything: what a move replaces and what is deleted go to
// the trash. Independent of the protocol.
#pragma once

#include "workspace/changes/changed.hpp"
#include "workspace/system/roots.hpp"

namespace workspace {

/// Renames in one step; makes the folders above the new name. Links are moved, not what they lead to. Throws ToolError;
/// then everything is where it was.
Changed move_path(const Located& from, const Located& to, bool overwrite);

/// Makes a directory, and those above it; one that is there already is no change. Throws ToolError.
Changed create_directory(const Located& where);

/// Moves a file, a link or a directory with all that is in it into the trash of its root. Throws ToolError.
Changed delete_path(const Located& where);

}  // namespace workspace
