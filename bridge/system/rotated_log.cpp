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

RotatedLog::RotatedLog(std::string path, std::size_t bytes) : path_(std::move(path)), bytes_(bytes) {
  open();
  look();
}

void RotatedLog::open() const {
  const system::FileDescriptor file(
      ::open(path_.c_str(), O_WRONLY | O_APPEND | O_CREAT | O_CLOEXEC | O_NOFOLLOW, S_IRUSR | S_IWUSR));
  if (!file.is_open()) throw std::system_error(errno, std::generic_category(), "cannot write to the log " + path_);
  struct stat about {};
  if (::fstat(file.get(), &about) != 0 || !S_ISREG(about.st_mode) || about.st_uid != ::geteuid() ||
      (about.st_mode & (S_IRWXG | S_IRWXO)) != 0)
    throw std::system_error(EPERM, std::generic_category(),
                            "cannot use the log " + path_ + ": expected a file of yours that no other can read");
  if (::dup2(file.get(), STDERR_FILENO) < 0)
    throw std::system_error(errno, std::generic_category(), "cannot write to the log " + path_);
}

/// Who writes meanwhile, writes to the one or the other.
void RotatedLog::look() {
  struct stat about {};
  if (::fstat(STDERR_FILENO, &about) != 0 || static_cast<std::size_t>(about.st_size) < bytes_) return;
  for (int older = files - 1; older > 0; --older) {
    const std::string from = older == 1 ? path_ : path_ + "." + std::to_string(older - 1);
    std::rename(from.c_str(), (path_ + "." + std::to_string(older)).c_str());
  }
  try {
    open();
  } catch (const std::system_error&) {  // where this was written before, it is written to on
    return;
  }
}

}  // namespace toolwire::bridge
