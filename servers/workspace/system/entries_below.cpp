#include "workspace/system/entries_below.hpp"

#include <dirent.h>
#include <fcntl.h>
#include <sys/stat.h>

#include <cerrno>
#include <cstddef>
#include <memory>
#include <optional>
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

using Stream = std::unique_ptr<DIR, CloseFolder>;

Stream read_folder(const Root& root, OpenedFolders& opened, const std::string& path) {
  constexpr int flags = O_RDONLY | O_DIRECTORY;
  Opened folder = root.try_open(path, flags, LastLink::refuse);
  const auto state = folder.error == 0 ? state_of(folder.descriptor.get()) : std::nullopt;
  const bool is_closed = folder.error == EACCES || (state && (state->mode & S_IXUSR) == 0);
  if (is_closed && opened.open(path)) folder = root.try_open(path, flags, LastLink::refuse);
  Stream stream{folder.error == 0 ? ::fdopendir(folder.descriptor.get()) : nullptr};
  if (stream) static_cast<void>(folder.descriptor.release());  // the stream has it
  return stream;
}

/// Goes through one folder after the other.
class Entries {
 public:
  Entries(const Root& root, OpenedFolders& opened, const Visit& visit) : root_(root), opened_(opened), visit_(visit) {}

  Unseen all() {
    while (!folders_.empty() && !unseen_.has_too_many) {
      const Folder folder = std::move(folders_.back());
      folders_.pop_back();
      if (!look_into(folder)) unseen_.folders.insert(folder.path);
    }
    return std::move(unseen_);
  }

 private:
  bool look_into(const Folder& folder) {
    if (folder.depth > most_depth) return false;
    const Stream stream = read_folder(root_, opened_, folder.path);
    const std::string start = folder.path == "." ? "" : folder.path + '/';
    while (const dirent* const entry = stream ? ::readdir(stream.get()) : nullptr) {
      const std::string_view name = entry->d_name;
      if (name == "." || name == "..") continue;
      if (++count_ > most_entries) return unseen_.has_too_many = true;
      const FileKind kind = kind_of(::dirfd(stream.get()), *entry);
      std::string path = start + entry->d_name;
      if (visit_(path, kind) && kind == FileKind::directory) folders_.push_back({std::move(path), folder.depth + 1});
    }
    return stream != nullptr;
  }

  const Root& root_;
  OpenedFolders& opened_;
  const Visit& visit_;
  std::vector<Folder> folders_{{".", 0}};
  std::size_t count_ = 0;
  Unseen unseen_;
};

}  // namespace

Unseen each_entry_below(const Root& root, OpenedFolders& opened, const Visit& visit) {
  return Entries{root, opened, visit}.all();
}

}  // namespace workspace
