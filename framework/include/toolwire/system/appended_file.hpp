// Files that are written at their end only: logs and records. Knows nothing of their lines.
#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <system_error>
#include <toolwire/system/file_descriptor.hpp>
#include <utility>

namespace toolwire::system {

/// Opens the file; makes it, readable by its owner only, if it is missing. Closed, with errno, if it cannot be opened:
/// a FIFO that nobody reads is an error (ENXIO), not an endless wait; what another user has put on the way, where
/// everybody may make files, is ELOOP.
FileDescriptor open_to_append(const std::string& path);

/// What errno says of a file that could not be opened or written so.
const std::error_category& appending() noexcept;

/// Writes the text in one piece, so that no other writer comes in between. False, with errno, if not all of it fitted.
bool append_whole(const FileDescriptor& file, std::string_view text);

/// Writes as much as there is room for. Returns the number of bytes, or -1 with errno, which is EAGAIN if there is no
/// room now.
std::ptrdiff_t append_some(const FileDescriptor& file, std::string_view text);

/// For anything but a regular file: waits until there is room. False if there is none within this time.
bool wait_for_room(const FileDescriptor& file, std::chrono::milliseconds time);

bool is_regular_file(const FileDescriptor& file);

/// Whether this file, and no other, stands at the path.
bool stands_at(const FileDescriptor& file, const std::string& path);

/// Whether what stands last in the regular file at the path is the beginning of a line, as a full disk leaves it. False
/// if it cannot be read.
bool ends_in_mid_line(const std::string& path);

/// Locks a regular file until it is closed, without waiting. False if another process holds the lock.
bool take_lock(const FileDescriptor& file);

/// Lines at the end of the file at a path, also of one that others have moved away or cut short. Not thread-safe; but
/// several on one file, in any processes, spoil none of each other's lines.
class AppendedLines {
 public:
  explicit AppendedLines(std::string path) : path_(std::move(path)) {}

  /// Opens what stands at the path now. False, with errno, if that cannot be opened; what was open stays open then.
  bool open();
  void close() { file_.reset(); }
  bool is_in_place() const { return stands_at(file_, path_); }
  bool is_regular() const { return is_regular_file(file_); }

  /// Writes the line, which has no end yet, in one piece; on a line of its own, wherever the one before was cut off.
  /// False, with errno, if not all of it was written.
  bool append(const std::string& line);

 private:
  static constexpr std::int64_t unknown = -1;
  bool is_cut() const;  // what stands last is the beginning of a line

  const std::string path_;
  FileDescriptor file_;
  std::int64_t end_ = unknown;  // of what this has written last, if it was whole
};

}  // namespace toolwire::system
