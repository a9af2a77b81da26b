// Files that belong to one user, which other users can neither read nor write, and which several processes of that user
// share. Knows nothing of their content.
#pragma once

#include <chrono>
#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <toolwire/system/file_descriptor.hpp>

namespace toolwire::system {

/// Makes the folder, and those above it that are missing, each for this user alone. Says which one could not be made,
/// and why; empty if the folder is there. Who passes over that sees it when a file in it is opened.
std::string make_private_folders(const std::string& folder);

/// Makes an empty file unless there is one already, whoever owns it.
void make_private_file(const std::string& path);

/// A regular file of this user that no other user can read or write. One thread.
class PrivateFile {
 public:
  /// `existing`: to read and write, but never to make it.
  enum class Access { read, read_and_write, existing };

  /// Opens the file, never through a symbolic link; for `read_and_write` makes it if it is missing. Stays closed if
  /// what is there is no such file.
  PrivateFile(const std::string& path, Access access);

  [[nodiscard]] bool is_open() const { return file_.is_open(); }
  /// Whether it stayed closed because nothing is there.
  [[nodiscard]] bool is_missing() const { return is_missing_; }

  /// Locks out other processes until it is destroyed. False if another one holds the lock for longer than `patience`.
  [[nodiscard]] bool lock(std::chrono::milliseconds patience) const;

  /// Nothing if it cannot be read or has more than `max_bytes`.
  [[nodiscard]] std::optional<std::string> read_all(std::size_t max_bytes) const;
  [[nodiscard]] bool write(std::string_view text, std::size_t at) const;
  [[nodiscard]] bool cut(std::size_t size) const;
  /// Writes it through to the disk (fsync).
  [[nodiscard]] bool keep() const;

 private:
  FileDescriptor file_;
  bool is_missing_ = false;
};

}  // namespace toolwire::system
