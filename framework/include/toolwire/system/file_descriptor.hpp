// Ownership of one descriptor of the operating system. Independent of what the descriptor refers to.
#pragma once

#include <utility>

namespace toolwire::system {

/// Closes its descriptor once. Not thread-safe; movable.
class FileDescriptor {
 public:
  FileDescriptor() = default;
  explicit FileDescriptor(int descriptor) noexcept : descriptor_{descriptor} {}
  FileDescriptor(FileDescriptor&& other) noexcept : descriptor_{std::exchange(other.descriptor_, -1)} {}
  FileDescriptor& operator=(FileDescriptor&& other) noexcept {
    if (this != &other) reset(std::exchange(other.descriptor_, -1));
    return *this;
  }
  ~FileDescriptor() { reset(); }

  [[nodiscard]] int get() const noexcept { return descriptor_; }
  [[nodiscard]] bool is_open() const noexcept { return descriptor_ >= 0; }
  /// Hands the descriptor to the caller, who closes it.
  [[nodiscard]] int release() noexcept { return std::exchange(descriptor_, -1); }

  /// Closes the descriptor it has and owns `descriptor`; -1: none.
  void reset(int descriptor = -1) noexcept {
    if (descriptor_ >= 0) close();
    descriptor_ = descriptor;
  }

 private:
  void close() noexcept;

  int descriptor_ = -1;
};

/// The same, moved away (close-on-exec) if it has taken the place of a standard stream that was closed; closed, with
/// errno set, if descriptors have run out.
[[nodiscard]] FileDescriptor beside_standard_streams(FileDescriptor descriptor) noexcept;

}  // namespace toolwire::system
