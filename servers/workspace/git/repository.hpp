// Which git repository a path belongs to: its working tree and its folder .git, both inside the roots. Found without
// git.
#pragma once

#include <optional>
#include <string>

#include "workspace/system/file_state.hpp"
#include "workspace/system/roots.hpp"

namespace workspace {

/// A path in a repository. Plain values.
struct InRepository {
  const Root* root = nullptr;
  std::string prefix = {};  // what stands before paths of this root in answers
  std::string top = {};     // the working tree, relative to the root; "." for the root itself
  std::string path = {};    // relative to `top`; empty for all of it
  std::string tree = {};    // the working tree, absolute
  std::string folder = {};  // .git, absolute; of a worktree or submodule what its file .git names

  /// What stands before paths of the repository in answers: "", or something that ends in a slash.
  std::string before() const;
  /// A path of the repository as answers show it, and other tools take it.
  std::string shown(const std::string& path_in_tree) const;
  /// The same relative to the root.
  std::string in_root(const std::string& path_in_tree) const;
  /// What the path is now; nothing if there is nothing.
  std::optional<FileKind> kind() const;
};

/// Looks upwards from the path, which need not exist, to its root. Throws ToolError if there is no repository inside
/// the roots, the path holds secrets, or what its .git names lies outside.
InRepository find_repository(const Roots& roots, const std::string& path);

}  // namespace workspace
