// A file's new content in one step: written beside it under another name, flushed to the disk, then renamed over it. A
// reader always finds the old content or the new, never a part, even after a crash.
#pragma once

#include <optional>
#include <string_view>

#include "workspace/system/file_state.hpp"
#include "workspace/system/place.hpp"

namespace workspace {

/// Puts `content` at `place` and returns the state of the new file. `old`: the state of the present file, which must be
/// unchanged at the end; its mode is kept, its owner and group where the process may. Without it nothing may be there.
/// Throws ToolError; then nothing has changed. A process that is killed may leave a file ".toolwire-*.tmp" behind.
FileState replace_file(const Place& place, std::string_view content, const std::optional<FileState>& old);

}  // namespace workspace
