// The file of an audit log.
#include <cerrno>
#include <cstddef>
#include <stdexcept>
#include <string>
#include <system_error>
#include <utility>

#include <toolwire/bridge/audit.hpp>
#include <toolwire/redact.hpp>
#include <toolwire/system/appended_file.hpp>
#include <toolwire/system/log_line.hpp>

#include "toolwire/detail/mutex.hpp"

namespace toolwire::bridge {

/// Opened again when another file stands at its path, as log rotation has it.
class AuditLog::File {
 public:
  explicit File(AuditSettings settings) : settings_(std::move(settings)), lines_(settings_.file) {
    if (!reopen()) throw std::runtime_error(what_failed(errno));
  }

  ~File() {
    if (lost_ > 0) log_line("audit log " + settings_.file + ": calls that were not recorded: " + std::to_string(lost_));
  }
  File(const File&) = delete;
  File& operator=(const File&) = delete;

  const AuditSettings& settings() const { return settings_; }

  void append(const std::string& line) {
    const std::string text = without_secrets(line);
    const MutexLock lock(mutex_);
    if (!(lines_.is_in_place() || reopen()) || !lines_.append(text)) return is_lost(errno);
    if (lost_ > 0)
      log_line("audit log " + settings_.file + ": calls are recorded again; " +
               std::to_string(std::exchange(lost_, 0)) + " were not");
  }

 private:
  /// Member by member where the line would go as a whole: how it is built is no secret.
  std::string without_secrets(const std::string& line) const {
    std::string clean = redact(line, settings_.secrets);
    if (!line.starts_with('{') || clean != to_json_text(Json(redacted_text))) return clean;
    Json members = parse_json(line, {.max_depth = greatest_json_depth});
    for (auto& [name, value] : members.as_object())
      value = parse_json(redact(to_json_text(value), settings_.secrets), {.max_depth = greatest_json_depth});
    return to_json_text(members);
  }

  std::string what_failed(int error) const {
    return "audit log " + settings_.file + ": " +
           (error == EINVAL ? "expected a regular file" : system::appending().message(error));
  }

  void is_lost(int error) TOOLWIRE_REQUIRES(mutex_) {
    if (lost_++ == 0) log_line(what_failed(error) + "; calls are not recorded");
  }

  /// Without waiting for a reader, in case the path is a FIFO.
  bool reopen() TOOLWIRE_REQUIRES(mutex_) {
    const bool is_open = lines_.open();
    if (is_open && lines_.is_regular()) return true;
    const int error = is_open || errno == ENXIO ? EINVAL : errno;
    lines_.close();
    errno = error;
    return false;
  }

  const AuditSettings settings_;
  Mutex mutex_;
  system::AppendedLines lines_ TOOLWIRE_GUARDED_BY(mutex_);
  std::size_t lost_ TOOLWIRE_GUARDED_BY(mutex_) = 0;  // lines since the last one that was written
};

AuditLog::AuditLog(AuditSettings settings) : file_(std::make_unique<File>(std::move(settings))) {}
AuditLog::~AuditLog() = default;
void AuditLog::append(const std::string& line) { file_->append(line); }
std::size_t AuditLog::max_line() const { return file_->settings().max_line; }
const std::vector<std::string>& AuditLog::secrets() const { return file_->settings().secrets; }

}  // namespace toolwire::bridge
