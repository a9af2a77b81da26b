#include "workspace/system/place.hpp"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <toolwire/error.hpp>
#include <utility>

#include "workspace/text/shown_path.hpp"

namespace workspace {
namespace {

constexpr mode_t usual_mode = 0777;  // what the process's umask leaves of it
constexpr std::size_t shown_bytes = 300;

// True if `test` holds for a part of the path.
template <class Test>
bool any_part(std::string_view path, Test test) {
  while (!path.empty()) {
    const std::size_t slash = path.find('/');
    if (test(path.substr(0, slash))) return true;
    path.remove_prefix(slash == std::string_view::npos ? path.size() : slash + 1);
  }
  return false;
}

std::string joined(const std::string& folder, const std::string& leaf) {
  return folder == "." ? leaf : folder + '/' + leaf;
}

std::string folder_of(const std::string& path) {
  const std::size_t slash = path.rfind('/');
  return slash == std::string::npos ? "." : path.substr(0, slash);
}

}  // namespace

bool is_repository_folder(std::string_view name) {
  return name.size() == 4 && name[0] == '.' && (name[1] | 0x20) == 'g' && (name[2] | 0x20) == 'i' &&
         (name[3] | 0x20) == 't';
}

bool is_of_directory(std::string_view path) { return path.ends_with('/') || path.ends_with("/."); }

std::string_view last_part(std::string_view path) { return path.substr(path.rfind('/') + 1); }

// git runs hooks, and programs named in settings, in .git: writing there would mean running code.
void check_protected(const Root& root, std::string_view shown, std::string_view relative, TrashPaths trash) {
  if (root.is_read_only()) {
    throw toolwire::ToolError("path: " + shown_path(root.named(shown), shown_bytes) + " is in " +
                              shown_path(root.path(), shown_bytes) +
                              ", which is for reading only (--read-only); nothing in it is changed");
  }
  if (any_part(relative, is_repository_folder)) {
    throw toolwire::ToolError("path: " + shown_path(root.named(shown), shown_bytes) +
                              " is in a .git folder, which this server never changes; use git itself");
  }
  const bool in_trash = relative == trash_folder || relative.starts_with(std::string(trash_folder) + '/');
  if (in_trash && trash == TrashPaths::refused) {
    throw toolwire::ToolError("path: " + shown_path(root.named(shown), shown_bytes) +
                              " is in the trash, from which things are only moved back (move)");
  }
  root.refuse_secret(shown, relative);
}

std::string change_error_text(std::string_view path, int error) {
  const std::string start = "path: " + shown_path(path, shown_bytes);
  switch (error) {
    case EACCES:
    case EPERM:
      return start + " may not be changed by this server (permission denied)";
    case EROFS:
      return start + " is on a file system that is read-only";
    case ENOSPC:
    case EDQUOT:
      return start + " was not changed: the disk is full";
    case EXDEV:
      return start + " was not changed: it is on another file system than where it would go";
    case EEXIST:
    case ENOTEMPTY:
      return start + " exists already";
    case ENOENT:
      return open_error_text(path, error);
    default:
      return start + " was not changed: " + std::strerror(error);
  }
}

void remove_empty_folders(const Root& root, std::string folder, std::string_view stays) {
  while (folder != stays && folder != ".") {
    const std::string above = folder_of(folder);
    const std::string name(last_part(folder));
    const Opened opened = root.try_open(above, O_PATH | O_DIRECTORY, LastLink::refuse);
    const bool is_left =
        opened.error == 0 && ::unlinkat(opened.descriptor.get(), name.c_str(), AT_REMOVEDIR) != 0 && errno != ENOENT;
    if (is_left) return;
    folder = above;
  }
}

NewFolders::NewFolders(const Root& root, const std::string& path)
    : root_(root), folder_(folder_of(path)), stays_(folder_) {
  while (stays_ != "." && root.try_look_at(stays_).error == ENOENT) stays_ = folder_of(stays_);
}

NewFolders::~NewFolders() { remove_empty_folders(root_, folder_, stays_); }

std::optional<MadeFolders> NewFolders::keep() {
  if (folder_ == stays_) return std::nullopt;
  return MadeFolders{std::exchange(folder_, stays_), stays_};
}

FileDescriptor make_directories(const Root& root, std::string_view shown, const std::string& relative) {
  Opened at = root.try_open(".", O_PATH | O_DIRECTORY, LastLink::refuse);
  for (std::size_t end = 0; at.error == 0 && end < relative.size() && relative != ".";) {
    const std::size_t begin = end == 0 ? 0 : end + 1;
    end = std::min(relative.find('/', begin), relative.size());
    const std::string name = relative.substr(begin, end - begin);
    const std::string prefix = relative.substr(0, end);
    Opened next = root.try_open(prefix, O_PATH | O_DIRECTORY, LastLink::follow);
    // What is left again at once need not be there, and would stay.
    if (next.error == ENOENT && any_part(relative.substr(end), [](std::string_view part) { return part == ".."; }))
      throw toolwire::ToolError(open_error_text(shown, ENOENT));
    if (next.error == ENOENT && ::mkdirat(at.descriptor.get(), name.c_str(), usual_mode) != 0 && errno != EEXIST) {
      throw toolwire::ToolError(change_error_text(root.named(prefix), errno));
    }
    if (next.error == ENOENT) next = root.try_open(prefix, O_PATH | O_DIRECTORY, LastLink::follow);
    at = std::move(next);
  }
  if (at.error != 0) throw toolwire::ToolError(open_error_text(shown, at.error));
  return std::move(at.descriptor);
}

int make_directory(const Place& place) {
  return ::mkdirat(place.parent.get(), place.leaf.c_str(), usual_mode) == 0 ? 0 : errno;
}

FileDescriptor open_to_read(const Place& place) {
  constexpr int flags = O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_NOCTTY | O_CLOEXEC;
  return FileDescriptor{::openat(place.parent.get(), place.leaf.c_str(), flags)};
}

Place place_of(const Located& where, MissingFolders missing, TrashPaths trash) {
  const Root& root = *where.root;
  const std::string& path = where.path;
  const std::string relative = root.relative(path);
  const std::string folder = folder_of(relative);
  Place place{{}, std::string(last_part(relative)), {}, where.prefix};
  if (place.leaf == ".") throw toolwire::ToolError("path: is the root itself; expected something inside it");
  if (place.leaf == "..") throw toolwire::ToolError("path: ends in ..; expected the name of a file or directory");
  if (place.leaf.size() > 255) throw toolwire::ToolError(open_error_text(root.named(path), ENAMETOOLONG));
  // Checked before anything is made: a refused name must leave no folders behind.
  check_protected(root, path, relative, trash);
  Opened opened = root.try_open(folder, O_PATH | O_DIRECTORY, LastLink::follow);
  if (opened.error == ENOENT && missing == MissingFolders::made) {
    opened = {make_directories(root, root.named(path), folder), 0};
  }
  if (opened.error != 0) throw toolwire::ToolError(open_error_text(root.named(path), opened.error));
  place.parent = std::move(opened.descriptor);
  // Links may have led elsewhere than the path says.
  const std::string real = root.real_path(place.parent.get());
  if (real.empty()) throw toolwire::ToolError(open_error_text(root.named(path), EAGAIN));
  place.path = joined(real, place.leaf);
  check_protected(root, path, place.path, trash);
  return place;
}

}  // namespace workspace
