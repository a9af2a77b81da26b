#include "workspace/system/trash.hpp"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <toolwire/error.hpp>
#include <toolwire/system/new_file.hpp>
#include <utility>

#include "workspace/system/file_state.hpp"
#include "workspace/system/replace_file.hpp"

namespace workspace {
namespace {

constexpr mode_t own_mode = 0700;
constexpr int max_name_attempts = 1000;

std::string now_as_name() {
  const auto now = std::chrono::system_clock::now().time_since_epoch();
  std::string text = time_text(std::chrono::duration_cast<std::chrono::nanoseconds>(now).count());
  std::erase_if(text, [](char c) { return c == '-' || c == ':'; });
  return text;
}

[[noreturn]] void fail(std::string_view path, int error) { throw toolwire::ToolError(change_error_text(path, error)); }

// So that git ignores it. False, with errno, if there is no room.
bool add_rule(int trash) {
  const FileDescriptor rule{::openat(trash, ".gitignore", O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0600)};
  if (!rule.is_open()) return errno == EEXIST;
  if (::write(rule.get(), "*\n", 2) == 2) return true;
  const int error = errno;
  ::unlinkat(trash, ".gitignore", 0);
  errno = error;
  return false;
}

// One that git would not ignore does not stay.
void make_trash(const Root& root, const std::string& name) {
  const Opened top = root.try_open(".", O_PATH | O_DIRECTORY, LastLink::refuse);
  if (::mkdirat(top.descriptor.get(), name.c_str(), own_mode) != 0 && errno != EEXIST) fail(name, errno);
  const Opened made = root.try_open(name, O_PATH | O_DIRECTORY, LastLink::refuse);
  if (made.error != 0 || add_rule(made.descriptor.get())) return;
  const int error = errno;
  ::unlinkat(top.descriptor.get(), name.c_str(), AT_REMOVEDIR);
  fail(name, error);
}

// Links are not followed: anything else in its place is an error.
FileDescriptor open_trash(const Root& root) {
  const std::string name{trash_folder};
  Opened opened = root.try_open(name, O_PATH | O_DIRECTORY, LastLink::refuse);
  if (opened.error == ENOENT) {
    make_trash(root, name);
    opened = root.try_open(name, O_PATH | O_DIRECTORY, LastLink::refuse);
  }
  if (opened.error != 0) fail(name, opened.error);
  return std::move(opened.descriptor);
}

// Those above a path in the trash, as far as they are there and empty.
void remove_folders_above(const Root& root, const std::string& path) {
  remove_empty_folders(root, path.substr(0, path.rfind('/')), trash_folder);
}

// A free place in the trash for what has this path: a folder named by the time, and in it the same folders as in the
// root.
Place place_in_trash(const Root& root, const std::string& path) {
  const FileDescriptor trash = open_trash(root);
  const std::string stem = now_as_name();
  std::string moment = stem;
  for (int i = 1; ::mkdirat(trash.get(), moment.c_str(), own_mode) != 0; ++i) {
    if (errno != EEXIST || i == max_name_attempts) fail(trash_folder, errno);
    moment = stem + '-' + std::to_string(i);
  }
  const std::string top = std::string(trash_folder) + '/' + moment;
  const std::size_t slash = path.rfind('/');
  const std::string folder = slash == std::string::npos ? top : top + '/' + path.substr(0, slash);
  const std::string leaf = slash == std::string::npos ? path : path.substr(slash + 1);
  try {
    return {make_directories(root, folder, folder), leaf, folder + '/' + leaf, {}};
  } catch (const toolwire::ToolError&) {
    remove_folders_above(root, folder + '/' + leaf);
    throw;
  }
}

}  // namespace

std::string move_to_trash(const Root& root, const Place& place) {
  const Place kept = place_in_trash(root, place.path);
  if (const int error =
          toolwire::system::rename_to_free_name(place.parent.get(), place.leaf, kept.parent.get(), kept.leaf);
      error != 0) {
    remove_folders_above(root, kept.path);
    fail(place.shown(), error);
  }
  return kept.path;
}

std::string keep_in_trash(const Root& root, const Place& place, std::string_view content) {
  const Place kept = place_in_trash(root, place.path);
  if (::linkat(place.parent.get(), place.leaf.c_str(), kept.parent.get(), kept.leaf.c_str(), 0) == 0) return kept.path;
  try {
    replace_file(kept, content, std::nullopt);
  } catch (const toolwire::ToolError&) {
    remove_folders_above(root, kept.path);
    throw;
  }
  return kept.path;
}

void take_out_of_trash(const Root& root, const std::string& kept) {
  const std::size_t slash = kept.rfind('/');
  const Opened folder = root.try_open(kept.substr(0, slash), O_PATH | O_DIRECTORY, LastLink::refuse);
  if (folder.error != 0 || ::unlinkat(folder.descriptor.get(), kept.c_str() + slash + 1, 0) != 0) return;
  remove_folders_above(root, kept);
}

bool put_back_from_trash(const Root& root, const std::string& kept, const Place& place, const FileState& old) {
  const std::size_t slash = kept.rfind('/');
  const std::string name = kept.substr(slash + 1);
  const Opened folder = root.try_open(kept.substr(0, slash), O_PATH | O_DIRECTORY, LastLink::refuse);
  const auto there = folder.error == 0 ? state_at(folder.descriptor.get(), name) : std::nullopt;
  if (!there || there->device != old.device || there->number != old.number) return false;
  if (toolwire::system::rename_over(folder.descriptor.get(), name, place.parent.get(), place.leaf) != 0) return false;
  remove_folders_above(root, kept);
  return true;
}

}  // namespace workspace
