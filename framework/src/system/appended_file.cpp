#include <toolwire/system/appended_file.hpp>

#include <fcntl.h>
#include <poll.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <fstream>

namespace toolwire::system {

FileDescriptor open_to_append(const std::string& path) {
  // O_NONBLOCK does nothing to a regular file.
  constexpr int flags = O_WRONLY | O_APPEND | O_CREAT | O_CLOEXEC | O_NONBLOCK | O_NOCTTY;
  return FileDescriptor(::open(path.c_str(), flags, S_IRUSR | S_IWUSR));
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

bool AppendedLines::open() {
  FileDescriptor another = open_to_append(path_);
  if (!another.is_open()) return false;
  file_ = std::move(another);
  is_cut_ = is_cut();
  return true;
}

bool AppendedLines::append(const std::string& line) {
  const bool written = append_whole(file_, is_cut_ ? "\n" + line + "\n" : line + "\n");
  const int error = errno;
  is_cut_ = !written && is_cut();
  errno = error;
  return written;
}

}  // namespace toolwire::system
