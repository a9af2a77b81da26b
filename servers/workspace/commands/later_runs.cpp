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
constexpr std::string_view folders[] = {
    ".husky",    ".githooks", ".vscode",       ".cursor",    ".claude",     ".codex",    ".gemini",  ".windsurf",
    ".idea",     ".zed",      ".devcontainer", ".fleet",     ".opencode",   ".continue", ".roo",     ".aider.d",
    ".kiro",     ".run",      ".circleci",     ".buildkite", ".woodpecker", ".forgejo",  ".gitea",   ".lefthook",
    ".ssh",      ".vim",      ".emacs.d",      ".mise",      ".agents",     ".junie",    ".copilot", ".cline",
    ".lmstudio", ".mcporter", ".qwen",         ".factory",   ".amazonq",    ".trae",     ".augment", ".crush"};

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
                                      ".cirrus.yml",
                                      "appveyor.yml",
                                      ".appveyor.yml",
                                      "bitbucket-pipelines.yml",
                                      "lefthook.yaml",
                                      ".lefthook.yaml",
                                      ".overcommit.yml",
                                      "mise.local.toml",
                                      ".mise.local.toml",
                                      ".xprofile",
                                      ".xinitrc",
                                      ".xsession",
                                      ".xsessionrc",
                                      ".pam_environment",
                                      ".tmux.conf",
                                      ".screenrc",
                                      ".sqliterc",
                                      ".psqlrc",
                                      ".Rprofile",
                                      ".hgrc",
                                      ".claude.json",
                                      "claude_desktop_config.json",
                                      "mcp_config.json",
                                      "mcp-config.json",
                                      "cline_mcp_settings.json",
                                      "mcporter.json",
                                      "mcporter.jsonc",
                                      "crush.json",
                                      ".crush.json",
                                      "HEAD"};

/// A folder and what is run later in it.
constexpr std::string_view pairs[][2] = {
    {".config", "autostart"}, {".config", "systemd"}, {".config", "fish"},  {".config", "git"}, {".config", "nvim"},
    {".config", "mise"},      {".config", "direnv"},  {".config", "goose"}, {".config", "zed"}, {".config", "Code"},
    {".local", "bin"},        {".cargo", "bin"},      {".hg", "hgrc"}};

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

/// Directly in `.git`: a submodule or a worktree below it may have such a name.
bool is_data_of_git(const std::string& path) {
  const Parts parts = parts_of(path, '/');
  const std::size_t count = parts.size();
  return count >= 2 && is_repository_folder(parts[count - 2]) && has(data_of_git, parts.back());
}

bool is_in_pair(const Parts& parts) {
  for (const auto& [folder, name] : pairs) {
    for (std::size_t i = 0; i + 1 < parts.size(); ++i) {
      if (parts[i] == folder && parts[i + 1] == name) return true;
    }
  }
  return false;
}

/// Where a repository without `.git` would have its HEAD, if this is one of its settings or hooks; else empty.
std::string head_beside(const std::string& path) {
  const Parts parts = parts_of(path, '/');
  const std::size_t count = parts.size();
  const bool is_setting = has(of_git, parts.back());
  const bool is_hook = count >= 2 && parts[count - 2] == "hooks" && !parts.back().ends_with(".sample");
  if (!is_setting && !is_hook) return {};
  const std::size_t rest = parts.back().size() + (is_setting ? 0 : std::string_view("hooks/").size());
  return path.substr(0, path.size() - rest) + "HEAD";
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
  return has(names, parts.back()) || is_in(folders) || is_in_pair(parts) || is_job(parts) ||
         parts.back().ends_with(".code-workspace");
}

/// Between what was and what is.
struct LaterRuns::Difference {
  Located place;  // the root's
  std::string path;
  std::optional<SavedFile> before, now;

  std::string text() const { return shown_path(place.shown(path)) + ' ' + cause(before, now); }
};

/// At one root, with its closed folders open meanwhile.
class LaterRuns::Look {
 public:
  explicit Look(const Located& place) : root_(*place.root), opened_(root_), found_{.place = place} {}

  /// `before`: what was there earlier, or null.
  const InRoot& look(const InRoot* before) {
    if (!root_.problem().empty()) return found_;
    found_.unseen = each_entry_below(root_, opened_, [this, before](const std::string& path, FileKind kind) {
      if (kind == FileKind::directory) return path != trash_folder && !is_data_of_git(path);
      if (!runs_later(path, kind) && !is_in_bare_repository(path, before)) return false;
      if (auto saved = save_file(root_, path)) found_.files.emplace(path, std::move(*saved));
      return false;
    });
    return found_;
  }

  void open_above(const std::string& path) { opened_.open_above(path); }

 private:
  /// Also one whose HEAD was there: it comes back.
  bool is_in_bare_repository(const std::string& path, const InRoot* before) const {
    const std::string head = head_beside(path);
    return !head.empty() && ((before != nullptr && before->files.contains(head)) || root_.try_look_at(head).error == 0);
  }

  const Root& root_;
  OpenedFolders opened_;
  InRoot found_;
};

LaterRuns LaterRuns::of(const Roots& roots) {
  LaterRuns all;
  for (const Located& place : roots.below(".")) {
    if (!place.root->is_read_only()) all.roots_.push_back(Look{place}.look(nullptr));
  }
  return all;
}

std::vector<LaterRuns::Difference> LaterRuns::differences_between(const InRoot& before, const InRoot& now) {
  std::vector<Difference> all;
  for (const auto& [path, saved] : before.files) {
    const auto same = now.files.find(path);
    const auto is = same == now.files.end() ? std::nullopt : std::optional(same->second);
    if (!is || !is->is_like(saved)) all.push_back({before.place, path, saved, is});
  }
  for (const auto& [path, saved] : now.files) {
    if (!before.files.contains(path)) all.push_back({before.place, path, std::nullopt, saved});
  }
  return all;
}

std::vector<std::string> LaterRuns::unseen_now(const InRoot& before, const InRoot& now) {
  std::vector<std::string> texts;
  for (const std::string& folder : now.unseen.folders) {
    if (!before.unseen.folders.contains(folder))
      texts.push_back(shown_path(before.place.shown(folder)) +
                      " cannot be looked into; what was made there is NOT known, look at it");
  }
  if (now.unseen.has_too_many) texts.push_back("there are more than two million files, so NOT all could be looked at");
  return texts;
}

/// Nothing to do is a deed too.
std::string LaterRuns::take_away(const Difference& difference) {
  const bool can_be_put_back = !difference.before || difference.before->content;
  if (!can_be_put_back) return "; it was too large to be kept, so it stays: look at it";
  if (!difference.now) return {};
  const Place place = open_place(*difference.place.root, difference.path, difference.place.prefix);
  try {
    return "; what the command made is in " +
           shown_path(difference.place.shown(move_to_trash(*difference.place.root, place)));
  } catch (const toolwire::ToolError& error) {  // a command can have seen to that
    if (!remove_for_good(place)) throw;
    return std::string("; what the command made was removed for good, as the trash cannot be used: ") + error.what();
  }
}

std::string LaterRuns::make_again(const Difference& difference) {
  if (!difference.before || !difference.before->content) return {};
  const Place place = open_place(*difference.place.root, difference.path, difference.place.prefix);
  workspace::put_back(place, *difference.before);
  return "; it is again as it was";
}

std::vector<std::string> LaterRuns::put_back(const InRoot& before) {
  Look look{before.place};
  const InRoot& now = look.look(&before);
  const std::vector<Difference> all = differences_between(before, now);
  std::vector<std::string> texts;
  for (const Difference& difference : all) texts.push_back(difference.text());
  // First all of what was made: a link among it would lead what is put back elsewhere.
  for (std::string (*const deed)(const Difference&) : {take_away, make_again}) {
    for (std::size_t i = 0; i < all.size(); ++i) {
      try {
        look.open_above(all[i].path);
        texts[i] += deed(all[i]);
      } catch (const toolwire::ToolError& error) {
        texts[i] += std::string("; it could NOT be put back, look at it: ") + error.what();
      }
    }
  }
  for (std::string& text : unseen_now(before, now)) texts.push_back(std::move(text));
  return texts;
}

std::vector<std::string> LaterRuns::put_back() const {
  std::vector<std::string> texts;
  for (const InRoot& before : roots_) {
    for (std::string& text : put_back(before)) texts.push_back(std::move(text));
  }
  return texts;
}

std::vector<std::string> LaterRuns::differences() const {
  std::vector<std::string> texts;
  for (const InRoot& before : roots_) {
    Look look{before.place};
    const InRoot& now = look.look(&before);
    for (const Difference& difference : differences_between(before, now)) texts.push_back(difference.text());
    for (std::string& text : unseen_now(before, now)) texts.push_back(std::move(text));
  }
  return texts;
}

}  // namespace workspace
