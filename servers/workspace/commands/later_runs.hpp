// Files that are run, or say what is run, later and without confinement: when git is called, an editor or an agent
// opens the folder, or a shell enters it. A command could plant something there. The kernel's rules cannot except files
// below a folder that may be changed; so these are compared before and after, and put back. Independent of commands.
#pragma once

#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "workspace/system/entries_below.hpp"
#include "workspace/system/roots.hpp"
#include "workspace/system/saved_file.hpp"

namespace workspace {

/// Of anything but a folder, by its path relative to a root. Hooks, settings and links of repositories (`.git/hooks/…`,
/// `.git/config`, a `.git` that is a file, in submodules and worktrees too; `HEAD` elsewhere, which makes a folder a
/// repository), settings of editors and agents (`.vscode/`, `.mcp.json` …), of shells and sessions (`.envrc`,
/// `.bashrc`, `.config/autostart/` …), jobs of CI (`.github/workflows/`). Below the folders of packages (`node_modules`
/// …) those of repositories alone. Not what a person runs by name: Makefile, package.json.
bool runs_later(std::string_view path, FileKind kind);

/// What is there, and how to put it back. One thread at a time.
class LaterRuns {
 public:
  /// The roots must live longer.
  static LaterRuns of(const Roots& roots);

  /// Puts back what differs now; what is in its place is kept in the trash, or removed if that cannot be. Returns a
  /// sentence for each: the path, what was changed, and what was done or could not be; and one for what could be looked
  /// at before, and now cannot.
  std::vector<std::string> put_back() const;
  /// A sentence for each that differs, which stays.
  std::vector<std::string> differences() const;

 private:
  struct InRoot {
    Located place;
    std::map<std::string, SavedFile> files = {};
    Unseen unseen = {};
  };
  struct Difference;
  class Look;

  static std::string take_away(const Difference& difference);
  static std::string make_again(const Difference& difference);
  static std::vector<Difference> differences_between(const InRoot& before, const InRoot& now);
  static std::vector<std::string> unseen_now(const InRoot& before, const InRoot& now);
  static std::vector<std::string> put_back(const InRoot& before);

  std::vector<InRoot> roots_;
};

}  // namespace workspace
