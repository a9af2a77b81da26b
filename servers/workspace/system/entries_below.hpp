// All entries below a root, also those of `.git`, in the order in which the system gives them: for what has to see
// everything. Symbolic links are not followed. Independent of what is looked for.
#pragma once

#include <functional>
#include <string>

#include "workspace/system/root.hpp"

namespace workspace {

/// Calls `visit` with the path relative to the root and the kind of each entry; whether a folder is entered is what it
/// returns. False if there was more than two million entries, or folders deeper than 200 or that could not be read.
bool each_entry_below(const Root& root, const std::function<bool(const std::string& path, FileKind kind)>& visit);

}  // namespace workspace
