// Runs one command of git on a repository that may be hostile: none of its settings is obeyed that starts a program,
// leads to files elsewhere, or changes the form of the output. The confinement of `Programs` is the wall behind it,
// which holds for settings that are not known here.
#pragma once

#include <cstddef>
#include <stop_token>
#include <string>
#include <utility>
#include <vector>

#include "workspace/git/repository.hpp"
#include "workspace/system/programs.hpp"

namespace workspace {

/// A repository ready for commands. Lives within one call; what it refers to outlives it.
class Git {
 public:
  /// Reads the repository's settings. Throws ToolError if git is missing or too old, or a setting cannot be made
  /// harmless (an include of further files).
  Git(const Programs& programs, InRepository repository, std::stop_token stop);

  const InRepository& repository() const { return repository_; }

  /// Whether the repository has this setting (in lower case).
  bool has_setting(const std::string& key) const;

  /// `command` with its arguments; paths are literal and relative to the working tree. Throws ToolError with what git
  /// says if it fails.
  ProgramOutput run(std::vector<std::string> command, std::size_t most = Programs::default_most) const;

  /// The same, also if it fails.
  ProgramOutput try_run(std::vector<std::string> command, std::size_t most = Programs::default_most) const;

  /// The full name of the commit that a revision means. Throws ToolError if there is none.
  std::string commit(const std::string& revision) const;
  /// Of HEAD; empty before the first commit.
  std::string head() const;
  /// The name of the tree without files, which stands for what is before the first commit.
  std::string empty_tree() const;

 private:
  void read_settings();
  void refuse_old_git() const;

  const Programs& programs_;
  InRepository repository_;
  std::stop_token stop_;
  std::vector<std::string> keys_;                              // of the repository's settings, sorted
  std::vector<std::pair<std::string, std::string>> settings_;  // stronger than the repository's
};

}  // namespace workspace
