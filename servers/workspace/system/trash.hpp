// Files that this server deletes or replaces are kept in a folder inside the root, one folder for each time: nothing is
// ever lost, and moving a file back undoes the change.
#pragma once

#include <string>
#include <string_view>

#include "workspace/system/file_state.hpp"
#include "workspace/system/place.hpp"

namespace workspace {

/// Moves what is at `place` into the trash, in one step; returns where it is then, relative to the root. Throws
/// ToolError; then it is where it was.
std::string move_to_trash(const Root& root, const Place& place);

/// Keeps a regular file's present content in the trash, while the file stays: by a second link to it where the file
/// system has those, else as a copy of `content`. Returns where it is. Throws ToolError.
std::string keep_in_trash(const Root& root, const Place& place, std::string_view content);

/// Takes out again what `keep_in_trash` put there, by the path it gave: the change it was for was not made.
void take_out_of_trash(const Root& root, const std::string& kept);

/// Puts what `keep_in_trash` kept back over what is at the place now, which needs no room on the disk. False if that
/// cannot be, or what was kept is a copy and not the file itself, whose state was `old`.
bool put_back_from_trash(const Root& root, const std::string& kept, const Place& place, const FileState& old);

}  // namespace workspace
