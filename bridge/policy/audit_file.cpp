// The file of an audit log.
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <stdexcept>
#include <system_error>
#include <utility>

#include <toolwire/bridge/audit.hpp>
#include <toolwire/log_line.hpp>

#include "toolwire/detail/mutex.hpp"

namespace toolwire::bridge {

/// Opened again when another file stands at its path, as log rotation has it.
class AuditLog::File {
 public:
  explicit File(AuditSettings settings) : settings_(std::move(settings)) {
    if (!reopen()) throw std::runtime_error(what_failed(errno));
  }
  ~File() { close(); }
  File(const File&) = delete;
  File& operator=(const File&) = delete;

  const AuditSettings& settings() const { return settings_; }

  void append(const std::string& line) {
    const std::string text = line + "\n";
    const MutexLock lock(mutex_);
    const bool written = (is_current() || reopen()) && write_whole(text);
    if (!written && !std::exchange(complained_, true)) log_line(what_failed(errno) + "; calls are not recorded");
    if (written) complained_ = false;
  }

 private:
  std::string what_failed(int error) const {
    return "audit log " + settings_.file + ": " +
           (error == EINVAL ? "expected a regular file" : std::generic_category().message(error));
  }

  bool is_current() const TOOLWIRE_REQUIRES(mutex_) {
    struct stat here {};
    if (descriptor_ < 0 || ::stat(settings_.file.c_str(), &here) != 0) return false;
    return here.st_dev == device_ && here.st_ino == inode_;
  }

  /// Without waiting for a reader, in case the path is a FIFO.
  bool reopen() TOOLWIRE_REQUIRES(mutex_) {
    close();
    descriptor_ = ::open(settings_.file.c_str(), O_WRONLY | O_APPEND | O_CREAT | O_CLOEXEC | O_NONBLOCK, 0600);
    if (descriptor_ < 0) {
      if (errno == ENXIO) errno = EINVAL;
      return false;
    }
    struct stat opened {};
    if (::fstat(descriptor_, &opened) != 0) return false;
    if (!S_ISREG(opened.st_mode)) {
      close();
      errno = EINVAL;
      return false;
    }
    device_ = opened.st_dev;
    inode_ = opened.st_ino;
    return true;
  }

  bool write_whole(const std::string& text) const TOOLWIRE_REQUIRES(mutex_) {
    const ssize_t count = ::write(descriptor_, text.data(), text.size());
    if (count >= 0 && static_cast<std::size_t>(count) < text.size()) errno = ENOSPC;
    return count == static_cast<ssize_t>(text.size());
  }

  void close() TOOLWIRE_REQUIRES(mutex_) {
    if (descriptor_ >= 0) ::close(descriptor_);
    descriptor_ = -1;
  }

  const AuditSettings settings_;
  Mutex mutex_;
  int descriptor_ TOOLWIRE_GUARDED_BY(mutex_) = -1;
  dev_t device_ TOOLWIRE_GUARDED_BY(mutex_) = 0;
  ino_t inode_ TOOLWIRE_GUARDED_BY(mutex_) = 0;
  bool complained_ TOOLWIRE_GUARDED_BY(mutex_) = false;
};

AuditLog::AuditLog(AuditSettings settings) : file_(std::make_unique<File>(std::move(settings))) {}
AuditLog::~AuditLog() = default;
void AuditLog::append(const std::string& line) { file_->append(line); }
std::size_t AuditLog::max_line() const { return file_->settings().max_line; }

}  // namespace toolwire::bridge
