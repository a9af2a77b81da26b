#include <toolwire/system/appended_file.hpp>

#include <fcntl.h>
#include <poll.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <fstream>
#include <system_error>
#include <thread>

#include "system/unplanted_file.hpp"

namespace toolwire::system {
namespace {

class Appending final : public std::error_category {
 public:
  const char* name() const noexcept override { return "appending"; }
  std::error_condition default_error_condition(int error) const noexcept override {
    return std::generic_category().default_error_condition(error);
  }
  std::string message(int error) const override {
    if (error != ELOOP) return std::generic_category().message(error);
    return "a symbolic link on the way, or what stands there, was put there by another user, in a folder where "
           "everybody may make files (or links lead in a circle); remove it, or give a path in a folder of your own";
  }
};

}  // namespace

FileDescriptor open_to_append(const std::string& path) {
  // O_NONBLOCK does nothing to a regular file.
  constexpr int flags = O_WRONLY | O_APPEND | O_CREAT | O_CLOEXEC | O_NONBLOCK | O_NOCTTY;
  return open_unplanted(path, flags, S_IRUSR | S_IWUSR);
}

const std::error_category& appending() noexcept {
  static const Appending category;
  return category;
}

bool append_whole(const FileDescriptor& file, std::string_view text) {
  const ssize_t count = ::write(file.get(), text.data(), text.size());
  if (count >= 0 && static_cast<std::size_t>(count) < text.size()) errno = ENOSPC;
  return count == static_cast<ssize_t>(text.size());
}

std::ptrdiff_t append_some(const FileDescriptor& file, std::string_view text) {
  for (;;) {
    const ssize_t count = ::write(file.get(), text.data(), text.size());
    if (count >= 0 || errno != EINTR) return count;
  }
}

bool wait_for_room(const FileDescriptor& file, std::chrono::milliseconds time) {
  pollfd waiting{file.get(), POLLOUT, 0};
  return ::poll(&waiting, 1, static_cast<int>(time.count())) > 0;
}

bool is_regular_file(const FileDescriptor& file) {
  struct stat about {};
  return ::fstat(file.get(), &about) == 0 && S_ISREG(about.st_mode);
}

bool stands_at(const FileDescriptor& file, const std::string& path) {
  struct stat ours {};
  struct stat there {};
  return file.is_open() && ::fstat(file.get(), &ours) == 0 && ::stat(path.c_str(), &there) == 0 &&
         ours.st_dev == there.st_dev && ours.st_ino == there.st_ino;
}

bool ends_in_mid_line(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  return file.seekg(-1, std::ios::end) && file.get() != '\n';
}

bool take_lock(const FileDescriptor& file) {
  if (!is_regular_file(file)) return true;
  return ::flock(file.get(), LOCK_EX | LOCK_NB) == 0 || errno != EWOULDBLOCK;
}

namespace {

/// Has the file for itself among those who append lines to it, unless one of them does not let go of it in time (a
/// process that is stopped): that must not hold the others.
class Turn {
 public:
  explicit Turn(const FileDescriptor& file) : file_(file) {
    constexpr std::chrono::milliseconds pause{1};
    for (int tries = 0; tries < 20 && !is_locked_; ++tries) {
      if (tries > 0) std::this_thread::sleep_for(pause);
      is_locked_ = ::flock(file_.get(), LOCK_EX | LOCK_NB) == 0;
      if (!is_locked_ && errno != EWOULDBLOCK) return;
    }
  }
  ~Turn() {
    if (is_locked_) ::flock(file_.get(), LOCK_UN);
  }
  Turn(const Turn&) = delete;
  Turn& operator=(const Turn&) = delete;

 private:
  const FileDescriptor& file_;
  bool is_locked_ = false;
};

}  // namespace

bool AppendedLines::open() {
  FileDescriptor another = open_to_append(path_);
  if (!another.is_open()) return false;
  file_ = std::move(another);
  end_ = unknown;
  return true;
}

bool AppendedLines::append(const std::string& line) {
  if (!is_regular()) return append_whole(file_, line + "\n");
  int error = 0;
  bool written = false;
  {
    const Turn turn(file_);
    written = append_whole(file_, is_cut() ? "\n" + line + "\n" : line + "\n");
    error = errno;
    end_ = written ? ::lseek(file_.get(), 0, SEEK_CUR) : unknown;
  }
  errno = error;
  return written;
}

bool AppendedLines::is_cut() const {
  struct stat about {};
  const bool is_known = end_ != unknown && ::fstat(file_.get(), &about) == 0 && about.st_size == end_;
  return !is_known && is_in_place() && ends_in_mid_line(path_);
}

}  // namespace toolwire::system
