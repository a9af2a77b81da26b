// Folders that this user owns and has closed to itself, open for a while: what a program has made may not hide by that.
// Independent of what is looked for in them.
#pragma once

#include <string>
#include <vector>

#include "workspace/system/file_state.hpp"
#include "workspace/system/root.hpp"

namespace workspace {

/// One thread.
class OpenedFolders {
 public:
  /// The root must live longer.
  explicit OpenedFolders(const Root& root) : root_(root) {}
  OpenedFolders(const OpenedFolders&) = delete;
  OpenedFolders& operator=(const OpenedFolders&) = delete;
  /// Gives those that are still there the modes they had.
  ~OpenedFolders();

  /// Lets this user read, enter and change a folder below the root. Links are not followed. False if it may not.
  bool open(const std::string& path);
  /// The same with all folders above a path, as far as they are there.
  void open_above(const std::string& path);

 private:
  struct Closed {
    std::string path;
    FileState state;
  };

  const Root& root_;
  std::vector<Closed> closed_;  // those above before those below
};

}  // namespace workspace
