#include "workspace/system/replace_file.hpp"

#include <fcntl.h>
#include <sodium.h>
#include <stdio.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <cstring>
#include <string>
#include <thread>
#include <toolwire/error.hpp>

#include "workspace/text/utf8.hpp"

namespace workspace {
namespace {

constexpr std::size_t shown_bytes = 300;
constexpr std::size_t max_at_once = 1U << 20;

std::string temporary_name() {
  return ".toolwire-" + std::to_string(::randombytes_random()) + std::to_string(::randombytes_random()) + ".tmp";
}

// Servers that write in one directory, also in different processes, take turns between the last check of a file and its
// replacement; otherwise one could replace what another has just written. Waits a bounded time: a lock that somebody
// else holds for long (any program may) must not keep files from being written.
class Turn {
 public:
  explicit Turn(const Place& place)
      : directory_(::openat(place.parent.get(), ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC)) {
    for (int i = 0; i < max_tries && directory_.is_open() && ::flock(directory_.get(), LOCK_EX | LOCK_NB) != 0; ++i) {
      if (errno != EWOULDBLOCK && errno != EINTR) return;
      std::this_thread::sleep_for(std::chrono::milliseconds(1));
    }
  }

 private:
  static constexpr int max_tries = 2000;
  FileDescriptor directory_;  // closing it ends the turn
};

// The new file while it has no name of its own yet; taken away again unless it was put in place. One thread.
class NewFile {
 public:
  NewFile(const Place& place, mode_t mode)
      : place_(place),
        name_(temporary_name()),
        file_(::openat(place.parent.get(), name_.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, mode)) {
    if (!file_.is_open()) fail(errno);
  }
  NewFile(const NewFile&) = delete;
  NewFile& operator=(const NewFile&) = delete;
  ~NewFile() {
    if (!in_place_) ::unlinkat(place_.parent.get(), name_.c_str(), 0);
  }

  void write(std::string_view content) {
    while (!content.empty()) {
      const ssize_t written = ::write(file_.get(), content.data(), std::min(content.size(), max_at_once));
      if (written < 0 && errno == EINTR) continue;
      if (written < 0) fail(errno);
      content.remove_prefix(static_cast<std::size_t>(written));
    }
  }

  // Of what it is to replace. Where the owner cannot be kept, the bits that lend the owner's rights are not kept
  // either.
  void take_after(const FileState& old) {
    const bool is_kept = ::fchown(file_.get(), old.owner, old.group) == 0;
    const mode_t mode = is_kept ? old.mode : old.mode & ~static_cast<mode_t>(S_ISUID | S_ISGID);
    if (::fchmod(file_.get(), mode) != 0) fail(errno);
  }

  // On the disk, before anything leads to it.
  void keep_content() const {
    if (::fsync(file_.get()) != 0) fail(errno);
  }

  FileState put(bool replaces) {
    const int directory = place_.parent.get();
    const int error = replaces ? (::renameat(directory, name_.c_str(), directory, place_.leaf.c_str()) == 0 ? 0 : errno)
                               : rename_to_free_name(directory, name_, directory, place_.leaf);
    if (error != 0) fail(error);
    in_place_ = true;
    keep_rename();
    return state_of(file_.get()).value_or(FileState{});
  }

 private:
  [[noreturn]] void fail(int error) const { throw toolwire::ToolError(change_error_text(place_.shown(), error)); }

  // The rename itself outlives a power failure once the directory is on the disk. Best effort: the file is right.
  void keep_rename() const {
    const FileDescriptor directory{::openat(place_.parent.get(), ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC)};
    if (directory.is_open()) ::fsync(directory.get());
  }

  const Place& place_;
  std::string name_;
  FileDescriptor file_;
  bool in_place_ = false;
};

}  // namespace

int rename_to_free_name(int from_directory, const std::string& from, int to_directory, const std::string& to) {
  if (::renameat2(from_directory, from.c_str(), to_directory, to.c_str(), RENAME_NOREPLACE) == 0) return 0;
  if (errno != EINVAL) return errno;
  // Some file systems do not know RENAME_NOREPLACE; a link never replaces anything either. Directories have no links,
  // so there the rename fails as it did.
  if (::linkat(from_directory, from.c_str(), to_directory, to.c_str(), 0) != 0) return errno == EPERM ? EINVAL : errno;
  return ::unlinkat(from_directory, from.c_str(), 0) == 0 ? 0 : errno;
}

FileState replace_file(const Place& place, std::string_view content, const std::optional<FileState>& old) {
  // The bits of a new file are what the umask leaves; those of a replacement are set once its owner is.
  NewFile file{place, old ? 0600U : 0666U};
  file.write(content);
  if (old) {
    file.take_after(*old);
  }
  file.keep_content();
  const Turn turn{place};
  if (old) {
    const std::optional<FileState> now = state_at(place.parent.get(), place.leaf);
    if (!now || !is_same_version(*now, *old)) {
      throw toolwire::ToolError("path: " + shown_path(place.shown(), shown_bytes) +
                                " was changed by somebody else meanwhile, and is left as they made it; read it again");
    }
  }
  return file.put(old.has_value());
}

}  // namespace workspace
