#include "workspace/commands/later_runs.hpp"

#include <algorithm>
#include <iterator>
#include <optional>
#include <set>
#include <toolwire/error.hpp>

#include "workspace/system/entries_below.hpp"
#include "workspace/system/place.hpp"
#include "workspace/system/trash.hpp"
#include "workspace/text/parts.hpp"
#include "workspace/text/shown_path.hpp"

namespace workspace {
namespace {

/// All that is in them.
constexpr std::string_view folders[] = {".husky",    ".githooks", ".vscode", ".cursor",  ".claude",       ".codex",
                                        ".gemini",   ".windsurf", ".idea",   ".zed",     ".devcontainer", ".fleet",
                                        ".opencode", ".continue", ".roo",    ".aider.d", ".kiro",         ".run"};

constexpr std::string_view names[] = {".envrc",
                                      ".mcp.json",
                                      "mcp.json",
                                      ".bashrc",
                                      ".bash_profile",
                                      ".bash_login",
                                      ".bash_logout",
                                      ".bash_aliases",
                                      ".profile",
                                      ".zshrc",
                                      ".zshenv",
                                      ".zprofile",
                                      ".zlogin",
                                      ".zlogout",
                                      ".kshrc",
                                      ".mkshrc",
                                      ".cshrc",
                                      ".tcshrc",
                                      ".login",
                                      ".logout",
                                      ".inputrc",
                                      ".gitconfig",
                                      ".exrc",
                                      ".vimrc",
                                      ".nvimrc",
                                      ".nvim.lua",
                                      ".gvimrc",
                                      ".emacs",
                                      ".dir-locals.el",
                                      ".gdbinit",
                                      ".lldbinit",
                                      ".mise.toml",
                                      "mise.toml",
                                      ".autoenv",
                                      ".autoenv.zsh",
                                      ".devcontainer.json",
                                      "opencode.json",
                                      "opencode.jsonc",
                                      ".aider.conf.yml",
                                      "lefthook.yml",
                                      ".lefthook.yml",
                                      ".pre-commit-config.yaml",
                                      ".gitlab-ci.yml",
                                      ".travis.yml",
                                      "Jenkinsfile",
                                      ".drone.yml",
                                      "azure-pipelines.yml",
                                      ".cirrus.yml"};

constexpr std::string_view of_packages[] = {"node_modules", "site-packages", "vendor", ".venv", "venv"};

constexpr std::string_view of_git[] = {"config", "config.worktree", "commondir", "gitdir"};
/// What git keeps there is no program, nor names one; names may be anything.
constexpr std::string_view data_of_git[] = {"objects", "refs", "logs", "lfs"};

template <class List>
bool has(const List& list, std::string_view name) {
  return std::find(std::begin(list), std::end(list), name) != std::end(list);
}

using Parts = std::vector<std::string_view>;

bool runs_later_in_git(const Parts& below, FileKind kind) {
  if (below.empty() || kind == FileKind::symlink) return true;  // .git itself is a file, or something leads elsewhere
  if (has(of_git, below.back())) return true;
  return std::find(below.begin(), below.end(), "hooks") != below.end() && !below.back().ends_with(".sample");
}

bool is_job(const Parts& parts) {
  const auto at = std::find(parts.begin(), parts.end(), ".github");
  if (at == parts.end()) return false;
  return at + 1 == parts.end() || at[1] == "workflows" || at[1] == "actions";
}

bool is_data_of_git(const std::string& path) {
  const Parts parts = parts_of(path, '/');
  const auto git = std::find_if(parts.begin(), parts.end(), is_repository_folder);
  return git != parts.end() && git + 1 != parts.end() && has(data_of_git, parts.back());
}

std::string cause(const std::optional<SavedFile>& before, const std::optional<SavedFile>& now) {
  if (!before) return "was made";
  return now ? "was changed" : "was removed";
}

}  // namespace

bool runs_later(std::string_view path, FileKind kind) {
  const Parts parts = parts_of(path, '/');
  const auto git = std::find_if(parts.begin(), parts.end(), is_repository_folder);
  if (git != parts.end()) return runs_later_in_git({git + 1, parts.end()}, kind);
  const auto is_in = [&parts](const auto& list) {
    return std::any_of(parts.begin(), parts.end(), [&list](std::string_view part) { return has(list, part); });
  };
  if (is_in(of_packages)) return false;
  return has(names, parts.back()) || is_in(folders) || is_job(parts);
}

/// Between what was and what is.
struct LaterRuns::Difference {
  Located place;  // the root's
  std::string path;
  std::optional<SavedFile> before, now;

  std::string text() const { return shown_path(place.shown(path)) + ' ' + cause(before, now); }
};

LaterRuns::InRoot LaterRuns::look(const Located& place) {
  InRoot found{.place = place};
  const Root& root = *place.root;
  if (!root.problem().empty()) return found;
  found.is_whole = each_entry_below(root, [&](const std::string& path, FileKind kind) {
    if (kind == FileKind::directory) return path != trash_folder && !is_data_of_git(path);
    if (!runs_later(path, kind)) return false;
    if (auto saved = save_file(root, path)) found.files.emplace(path, std::move(*saved));
    return false;
  });
  return found;
}

LaterRuns LaterRuns::of(const Roots& roots) {
  LaterRuns all;
  for (const Located& place : roots.below(".")) all.roots_.push_back(look(place));
  return all;
}

std::vector<LaterRuns::Difference> LaterRuns::all_differences() const {
  std::vector<Difference> all;
  for (const InRoot& before : roots_) {
    InRoot now = look(before.place);
    for (const auto& [path, saved] : before.files) {
      const auto same = now.files.find(path);
      const auto is = same == now.files.end() ? std::nullopt : std::optional(same->second);
      if (!is || !is->is_like(saved)) all.push_back({before.place, path, saved, is});
    }
    for (const auto& [path, saved] : now.files) {
      if (!before.files.contains(path)) all.push_back({before.place, path, std::nullopt, saved});
    }
  }
  return all;
}

/// Nothing to do is a deed too.
std::string LaterRuns::take_away(const Difference& difference) {
  const bool can_be_put_back = !difference.before || difference.before->content;
  if (!can_be_put_back) return "; it was too large to be kept, so it stays: look at it";
  if (!difference.now) return {};
  const Place place = open_place(*difference.place.root, difference.path, difference.place.prefix);
  return "; what the command made is in " +
         shown_path(difference.place.shown(move_to_trash(*difference.place.root, place)));
}

std::string LaterRuns::make_again(const Difference& difference) {
  if (!difference.before || !difference.before->content) return {};
  const Place place = open_place(*difference.place.root, difference.path, difference.place.prefix);
  workspace::put_back(place, *difference.before);
  return "; it is again as it was";
}

std::vector<std::string> LaterRuns::put_back() const {
  const std::vector<Difference> all = all_differences();
  std::vector<std::string> texts;
  for (const Difference& difference : all) texts.push_back(difference.text());
  // First all of what was made: a link among it would lead what is put back elsewhere.
  for (std::string (*const deed)(const Difference&) : {take_away, make_again}) {
    for (std::size_t i = 0; i < all.size(); ++i) {
      try {
        texts[i] += deed(all[i]);
      } catch (const toolwire::ToolError& error) {
        texts[i] += std::string("; it could NOT be put back, look at it: ") + error.what();
      }
    }
  }
  return texts;
}

std::vector<std::string> LaterRuns::differences() const {
  std::vector<std::string> texts;
  for (const Difference& difference : all_differences()) texts.push_back(difference.text());
  return texts;
}

}  // namespace workspace
