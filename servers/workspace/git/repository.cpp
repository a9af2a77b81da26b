#include "workspace/git/repository.hpp"

#include <optional>
#include <string_view>
#include <toolwire/error.hpp>

#include "workspace/system/file_bytes.hpp"
#include "workspace/text/shown_path.hpp"

namespace workspace {
namespace {

constexpr std::size_t most_named = 8192;

std::string joined(const std::string& folder, const std::string& name) {
  if (name.empty()) return folder;
  return folder == "." ? name : folder + '/' + name;
}

std::string absolute(const Root& root, const std::string& relative) {
  if (relative == ".") return root.path();
  return (root.path() == "/" ? "" : root.path()) + '/' + relative;
}

/// The folder above; nothing above the root.
std::optional<std::string> above(const std::string& folder) {
  if (folder == ".") return std::nullopt;
  const std::size_t slash = folder.rfind('/');
  return slash == std::string::npos ? "." : folder.substr(0, slash);
}

[[noreturn]] void refuse_outside(const std::string& shown) {
  throw toolwire::ToolError("path: the repository's " + shown +
                            " leads outside the workspace; expected a repository that lies inside it as a whole. Start "
                            "the server with the folder that holds it as a further root");
}

/// The kind of what is there, links followed while they stay inside; nothing if there is nothing.
std::optional<FileKind> kind_at(const Root& root, const std::string& relative, const std::string& shown) {
  const Opened opened = root.try_look_at(relative, LastLink::follow);
  if (opened.error == EXDEV) refuse_outside(shown);
  if (!opened.descriptor.is_open()) return std::nullopt;
  const auto state = state_of(opened.descriptor.get());
  return state ? std::optional(state->kind) : std::nullopt;
}

std::string content_of(const Root& root, const std::string& relative) {
  const FileDescriptor file = root.open_file(relative);
  return all_bytes(file.get(), most_named, {});
}

/// A folder inside one of the roots.
struct Place {
  const Root* root;
  std::string relative;

  std::string path() const { return absolute(*root, relative); }
};

/// Of an absolute path, if it is there and inside.
std::optional<Place> inside(const Roots& roots, const std::string& path) {
  for (const Root* root : roots.all()) {
    try {
      const std::string relative = root->relative(path);
      if (root->try_look_at(relative, LastLink::follow).descriptor.is_open()) return Place{root, relative};
    } catch (const toolwire::ToolError&) {
      continue;  // of another root
    }
  }
  return std::nullopt;
}

/// What a line of a file of git names, behind `key`: relative to `folder` unless it is absolute.
Place named_folder(const Roots& roots, const Place& folder, const std::string& file, std::string_view key,
                   const std::string& shown) {
  std::string text = content_of(*folder.root, joined(folder.relative, file));
  if (!text.starts_with(key)) throw toolwire::ToolError("path: " + shown + " is no file as git writes it");
  text = text.substr(key.size(), text.find('\n') - key.size());
  auto place = inside(roots, text.starts_with('/') ? text : folder.path() + '/' + text);
  if (!place) refuse_outside(shown);
  return std::move(*place);
}

/// Files of text whose lines git may show when they are not as they should be. It makes none of them a link, but
/// another may have: to a file that holds secrets.
void refuse_links(const Place& folder, const std::string& shown) {
  for (const char* const name :
       {"HEAD", "packed-refs", "config", "config.worktree", "commondir", "gitdir", "shallow", "index", "info",
        "info/grafts", "info/exclude", "info/attributes", "objects", "objects/info", "objects/info/alternates"}) {
    const Opened opened = folder.root->try_look_at(joined(folder.relative, name));
    const auto state = opened.descriptor.is_open() ? state_of(opened.descriptor.get()) : std::nullopt;
    if (state && state->kind == FileKind::symlink)
      throw toolwire::ToolError("path: the repository's " + shown + "/" + name +
                                " is a symbolic link, which git does not make; such a repository is not looked at");
  }
}

/// Throws if what belongs to a folder .git is outside or a link.
void check_folder(const Roots& roots, const Place& folder, const std::string& shown) {
  refuse_links(folder, shown);
  if (!kind_at(*folder.root, joined(folder.relative, "commondir"), shown)) return;
  refuse_links(named_folder(roots, folder, "commondir", "", shown + "/commondir"), shown);
}

/// True if `top` has a .git; then `folder` is set.
bool has_repository(const Roots& roots, InRepository& found) {
  const std::string name = joined(found.top, ".git"), shown = shown_path(found.prefix + name);
  const auto kind = kind_at(*found.root, name, shown);
  Place folder{found.root, name};
  if (kind == FileKind::directory) {
    if (!kind_at(*found.root, name + "/HEAD", shown + "/HEAD")) return false;
  } else if (kind == FileKind::regular) {
    folder = named_folder(roots, {found.root, found.top}, ".git", "gitdir: ", shown);
  } else {
    return false;
  }
  check_folder(roots, folder, shown);
  found.folder = folder.path();
  return true;
}

/// Without links in the folders above it: git passes over nothing that lies behind one.
std::string present_path(const Root& root, const std::string& relative) {
  const auto folder = above(relative);
  const Opened opened = folder ? root.try_look_at(*folder, LastLink::follow) : Opened{};
  const std::string present = opened.descriptor.is_open() ? root.real_path(opened.descriptor.get()) : std::string();
  return present.empty() ? relative : joined(present, relative.substr(relative.rfind('/') + 1));
}

}  // namespace

std::string InRepository::in_root(const std::string& path_in_tree) const { return joined(top, path_in_tree); }

std::optional<FileKind> InRepository::kind() const {
  if (path.empty()) return FileKind::directory;
  const Opened opened = root->try_look_at(in_root(path));
  const auto state = opened.descriptor.is_open() ? state_of(opened.descriptor.get()) : std::nullopt;
  return state ? std::optional(state->kind) : std::nullopt;
}

std::string InRepository::before() const { return prefix + (top == "." ? "" : top + '/'); }

std::string InRepository::shown(const std::string& path_in_tree) const {
  return shown_path(prefix + in_root(path_in_tree));
}

InRepository find_repository(const Roots& roots, const std::string& path) {
  const Located where = roots.locate(path);
  const std::string wanted = present_path(*where.root, where.root->relative(where.path));
  where.root->refuse_secret(where.path, where.root->relative(where.path));
  where.root->refuse_secret(where.path, wanted);
  InRepository found{.root = where.root, .prefix = where.prefix};
  for (std::optional<std::string> top = wanted; top; top = above(*top)) {
    found.top = *top;
    if (!has_repository(roots, found)) continue;
    found.tree = absolute(*where.root, *top);
    if (wanted != *top) found.path = *top == "." ? wanted : wanted.substr(top->size() + 1);
    return found;
  }
  throw toolwire::ToolError("path: " + shown_path(path) +
                            " is in no git repository that lies inside the workspace (one whose .git is above the "
                            "root is out of reach)");
}

}  // namespace workspace
