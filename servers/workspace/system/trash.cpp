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

// A folder that git ignores. Links are not followed: anything else in its place is an error.
FileDescriptor open_trash(const Root& root) {
  const std::string name{trash_folder};
  Opened opened = root.try_open(name, O_PATH | O_DIRECTORY, LastLink::refuse);
  if (opened.error == ENOENT) {
    const Opened top = root.try_open(".", O_PATH | O_DIRECTORY, LastLink::refuse);
    if (::mkdirat(top.descriptor.get(), name.c_str(), own_mode) != 0 && errno != EEXIST) fail(name, errno);
    opened = root.try_open(name, O_PATH | O_DIRECTORY, LastLink::refuse);
    const FileDescriptor rule{
        ::openat(opened.descriptor.get(), ".gitignore", O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0600)};
    if (rule.is_open() && ::write(rule.get(), "*\n", 2) != 2) fail(name, errno);
  }
  if (opened.error != 0) fail(name, opened.error);
  return std::move(opened.descriptor);
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
  return {make_directories(root, folder, folder), leaf, folder + '/' + leaf, {}};
}

}  // namespace

std::string move_to_trash(const Root& root, const Place& place) {
  const Place kept = place_in_trash(root, place.path);
  if (const int error =
          toolwire::system::rename_to_free_name(place.parent.get(), place.leaf, kept.parent.get(), kept.leaf);
      error != 0)
    fail(place.shown(), error);
  return kept.path;
}

std::string keep_in_trash(const Root& root, const Place& place, std::string_view content) {
  const Place kept = place_in_trash(root, place.path);
  if (::linkat(place.parent.get(), place.leaf.c_str(), kept.parent.get(), kept.leaf.c_str(), 0) == 0) return kept.path;
  replace_file(kept, content, std::nullopt);
  return kept.path;
}

void take_out_of_trash(const Root& root, const std::string& kept) {
  std::string path = kept;
  for (int flags = 0; path.find('/') != std::string::npos; flags = AT_REMOVEDIR) {
    const std::size_t slash = path.rfind('/');
    const std::string name = path.substr(slash + 1);
    path.resize(slash);
    const Opened folder = root.try_open(path, O_PATH | O_DIRECTORY, LastLink::refuse);
    if (folder.error != 0 || ::unlinkat(folder.descriptor.get(), name.c_str(), flags) != 0) return;
  }
}

}  // namespace workspace
