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

/// The folder, and those above it that are missing. What cannot be made shows when a file in it is opened.
void make_private_folders(const std::string& folder);

/// An empty one, unless there is a file already, whosever it is.
void make_private_file(const std::string& path);

/// A regular file of ours that no other user can read or write. One thread.
class PrivateFile {
 public:
  enum class Access { read, read_and_write };

  /// Opens it, for writing made if it is not there; not through a symbolic link. Not open if there is none of that
  /// kind.
  PrivateFile(const std::string& path, Access access);

  [[nodiscard]] bool is_open() const { return file_.is_open(); }

  /// Alone among processes until it is destroyed. False if another one does not let go within `patience`.
  [[nodiscard]] bool lock(std::chrono::milliseconds patience) const;

  /// Nothing if it cannot be read or has more than `max_bytes`.
  [[nodiscard]] std::optional<std::string> read_all(std::size_t max_bytes) const;
  [[nodiscard]] bool write(std::string_view text, std::size_t at) const;
  [[nodiscard]] bool cut(std::size_t size) const;
  /// Brings it to the disk.
  [[nodiscard]] bool keep() const;

 private:
  FileDescriptor file_;
};

}  // namespace toolwire::system
