#include "system/unplanted_file.hpp"

#include <fcntl.h>
#include <linux/magic.h>
#include <sys/stat.h>
#include <sys/vfs.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <climits>
#include <utility>

namespace toolwire::system {
namespace {

constexpr int max_links = 40;  // as many as the system follows

/// Whether it is one of those whose links and files are trusted in a folder of everybody's.
bool is_trusted(uid_t owner, const struct stat& folder) {
  return owner == ::geteuid() || owner == 0 || owner == folder.st_uid;
}

bool is_everybodys(const struct stat& folder) { return (folder.st_mode & (S_ISVTX | S_IWOTH)) == (S_ISVTX | S_IWOTH); }

/// Links such as /proc/self/fd/1 lead to what their texts do not tell.
bool is_in_proc(const FileDescriptor& link) {
  struct statfs about {};
  return ::fstatfs(link.get(), &about) == 0 && about.f_type == PROC_SUPER_MAGIC;
}

/// From folder to folder, each of which is held, so that none is exchanged in between.
class Walk {
 public:
  explicit Walk(const std::string& path) { put_before(path); }

  FileDescriptor open(int flags, mode_t mode) {
    while (is_in_folder()) {
      const std::string name = next();
      FileDescriptor found(::openat(folder_.get(), name.c_str(), O_PATH | O_NOFOLLOW | O_CLOEXEC));
      struct stat about {};
      const bool is_link = found.is_open() && ::fstat(found.get(), &about) == 0 && S_ISLNK(about.st_mode);
      if (is_link && !is_in_proc(found)) {
        if (!follow(found, about)) break;
        continue;
      }
      const int how = is_link ? 0 : O_NOFOLLOW;
      if (left_.empty()) return checked(FileDescriptor(::openat(folder_.get(), name.c_str(), flags | how, mode)));
      folder_ = is_link ? FileDescriptor(::openat(folder_.get(), name.c_str(), O_PATH | O_CLOEXEC)) : std::move(found);
    }
    return {};
  }

 private:
  bool is_in_folder() {
    if (!folder_.is_open()) return false;
    if (::fstat(folder_.get(), &about_folder_) != 0) return false;
    if (!S_ISDIR(about_folder_.st_mode)) errno = ENOTDIR;
    return S_ISDIR(about_folder_.st_mode);
  }

  /// A path that is empty is an error of the system's; one that ends with a slash is that of a folder.
  void put_before(std::string path) {
    if (left_.empty() && path.ends_with('/')) path += '.';
    if (path.starts_with('/') || !folder_.is_open())
      folder_ = FileDescriptor(::open(path.starts_with('/') ? "/" : ".", O_PATH | O_CLOEXEC));
    left_ = left_.empty() ? std::move(path) : path + "/" + left_;
  }

  std::string next() {
    left_.erase(0, std::min(left_.find_first_not_of('/'), left_.size()));
    const std::size_t end = std::min(left_.find('/'), left_.size());
    std::string name = left_.substr(0, end);
    left_.erase(0, end);
    return name;
  }

  bool follow(const FileDescriptor& link, const struct stat& about) {
    std::string target(PATH_MAX, '\0');
    const ssize_t size = ::readlinkat(link.get(), "", target.data(), target.size());
    if (size < 0) return false;
    target.resize(static_cast<std::size_t>(size));
    const bool is_planted = is_everybodys(about_folder_) && !is_trusted(about.st_uid, about_folder_);
    if (is_planted || ++links_ > max_links) {
      errno = ELOOP;
      return false;
    }
    put_before(std::move(target));
    return true;
  }

  FileDescriptor checked(FileDescriptor file) const {
    struct stat about {};
    if (!file.is_open()) return file;
    if (!is_everybodys(about_folder_) || ::fstat(file.get(), &about) != 0 || !S_ISREG(about.st_mode)) return file;
    if (is_trusted(about.st_uid, about_folder_) && about.st_nlink <= 1) return file;
    file.reset();
    errno = ELOOP;
    return file;
  }

  std::string left_;  // of the path, behind the folder
  FileDescriptor folder_;
  struct stat about_folder_ {};
  int links_ = 0;
};

}  // namespace

FileDescriptor open_unplanted(const std::string& path, int flags, mode_t mode) { return Walk(path).open(flags, mode); }

}  // namespace toolwire::system
