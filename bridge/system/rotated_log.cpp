#include "system/rotated_log.hpp"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <system_error>
#include <utility>

#include <toolwire/system/file_descriptor.hpp>

namespace toolwire::bridge {
namespace {

[[noreturn]] void fail(int error, const std::string& what) {
  throw std::system_error(error, std::generic_category(), what);
}

/// Made if it is not there. Does not wait for who reads a FIFO, which is none of those that are expected.
system::FileDescriptor opened(const std::string& path) {
  constexpr int how = O_WRONLY | O_APPEND | O_CREAT | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK;
  system::FileDescriptor file(::open(path.c_str(), how, S_IRUSR | S_IWUSR));
  if (!file.is_open() && errno != ENXIO) fail(errno, "cannot write to the log " + path);
  struct stat about {};
  if (!file.is_open() || ::fstat(file.get(), &about) != 0 || !S_ISREG(about.st_mode) || about.st_uid != ::geteuid() ||
      (about.st_mode & (S_IRWXG | S_IRWXO)) != 0)
    fail(EPERM, "cannot use the log " + path + ": expected a file of yours that no other can read");
  return file;
}

}  // namespace

RotatedLog::RotatedLog(std::string path, std::size_t bytes) : path_(std::move(path)), bytes_(bytes) {
  write_to(opened(path_));
  look();
}

/// Who writes meanwhile, writes to the one or the other.
void RotatedLog::write_to(const system::FileDescriptor& file) const {
  if (::dup2(file.get(), STDERR_FILENO) < 0) fail(errno, "cannot write to the log " + path_);
}

void RotatedLog::look() {
  struct stat ours {};
  struct stat there {};
  if (::fstat(STDERR_FILENO, &ours) != 0) return;
  const bool is_in_place =
      ::stat(path_.c_str(), &there) == 0 && there.st_dev == ours.st_dev && there.st_ino == ours.st_ino;
  try {
    if (!is_in_place) return write_to(opened(path_));
    if (static_cast<std::size_t>(ours.st_size) >= bytes_) begin_anew();
  } catch (const std::system_error&) {  // where this was written before, it is written to on
    return;
  }
}

/// The next one is there before anything is put aside for it.
void RotatedLog::begin_anew() const {
  const std::string draft = path_ + ".next";
  const system::FileDescriptor next = opened(draft);
  for (int older = files - 1; older > 0; --older) {
    const std::string from = older == 1 ? path_ : path_ + "." + std::to_string(older - 1);
    std::rename(from.c_str(), (path_ + "." + std::to_string(older)).c_str());
  }
  std::rename(draft.c_str(), path_.c_str());
  write_to(next);
}

}  // namespace toolwire::bridge
