// Standard error as a file that does not grow without end. Knows nothing of its lines.
#pragma once

#include <cstddef>
#include <string>

#include <toolwire/system/file_descriptor.hpp>

namespace toolwire::bridge {

/// From its construction on standard error goes to the file, for good. One thread at a time.
class RotatedLog {
 public:
  static constexpr std::size_t max_bytes = std::size_t{10} << 20;
  static constexpr int files = 3;  // this one, and the two before it: PATH.1, PATH.2

  /// A file of this user that no other can read. Throws std::system_error if it cannot be one.
  explicit RotatedLog(std::string path, std::size_t bytes = max_bytes);

  /// Begins a new file if this one has grown too long, or does not stand at its path any more: to be called now and
  /// then.
  void look();
  const std::string& path() const { return path_; }

 private:
  void write_to(const system::FileDescriptor& file) const;
  void begin_anew() const;

  const std::string path_;
  const std::size_t bytes_;
};

}  // namespace toolwire::bridge
