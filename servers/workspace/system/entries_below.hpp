// All entries below a root, also those of `.git`, in the order in which the system gives them: for what has to see
// everything. Symbolic links are not followed. Independent of what is looked for.
#pragma once

#include <functional>
#include <set>
#include <string>

#include "workspace/system/opened_folders.hpp"
#include "workspace/system/root.hpp"

namespace workspace {

/// What could not be looked at.
struct Unseen {
  std::set<std::string> folders = {};  // that may not be read, or lie more than 200 deep
  bool has_too_many = false;           // entries: more than two million
};

/// Calls `visit` with the path relative to the root and the kind of each entry; whether a folder is entered is what it
/// returns. Folders that are closed to this user, but its own, are opened.
Unseen each_entry_below(const Root& root, OpenedFolders& opened,
                        const std::function<bool(const std::string& path, FileKind kind)>& visit);

}  // namespace workspace
