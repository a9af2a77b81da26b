#include "workspace/system/entries_below.hpp"

#include <dirent.h>
#include <fcntl.h>
#include <sys/stat.h>

#include <cstddef>
#include <memory>
#include <string_view>
#include <vector>

namespace workspace {
namespace {

constexpr std::size_t most_entries = 2'000'000;
constexpr int most_depth = 200;

struct CloseFolder {
  void operator()(DIR* folder) const { ::closedir(folder); }
};

struct Folder {
  std::string path;
  int depth = 0;
};

FileKind kind_of(int folder, const dirent& entry) {
  if (entry.d_type != DT_UNKNOWN) return file_kind(static_cast<mode_t>(DTTOIF(static_cast<unsigned>(entry.d_type))));
  struct stat about {};
  return ::fstatat(folder, entry.d_name, &about, AT_SYMLINK_NOFOLLOW) == 0 ? file_kind(about.st_mode)
                                                                           : FileKind::unknown;
}

using Visit = std::function<bool(const std::string& path, FileKind kind)>;

/// Adds the folders to be entered. False if it cannot be read as a whole.
bool visit_folder(const Root& root, const Folder& folder, const Visit& visit, std::vector<Folder>& entered,
                  std::size_t& count) {
  Opened opened = root.try_open(folder.path, O_RDONLY | O_DIRECTORY, LastLink::refuse);
  const std::unique_ptr<DIR, CloseFolder> stream{opened.error == 0 ? ::fdopendir(opened.descriptor.get()) : nullptr};
  if (!stream) return false;
  static_cast<void>(opened.descriptor.release());  // the stream has it
  const std::string start = folder.path == "." ? "" : folder.path + '/';
  while (const dirent* const entry = ::readdir(stream.get())) {
    const std::string_view name = entry->d_name;
    if (name == "." || name == "..") continue;
    if (++count > most_entries) return false;
    const FileKind kind = kind_of(::dirfd(stream.get()), *entry);
    const std::string path = start + entry->d_name;
    if (!visit(path, kind) || kind != FileKind::directory) continue;
    if (folder.depth == most_depth) return false;
    entered.push_back({path, folder.depth + 1});
  }
  return true;
}

}  // namespace

bool each_entry_below(const Root& root, const Visit& visit) {
  std::vector<Folder> folders{{".", 0}};
  std::size_t count = 0;
  bool is_whole = true;
  while (!folders.empty() && count <= most_entries) {
    const Folder folder = std::move(folders.back());
    folders.pop_back();
    is_whole = visit_folder(root, folder, visit, folders, count) && is_whole;
  }
  return is_whole;
}

}  // namespace workspace
