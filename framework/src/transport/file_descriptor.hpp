// Ownership of one descriptor of the operating system.
// Knows nothing of what the descriptor is for.
#pragma once

#include <unistd.h>

#include <utility>

namespace toolwire::transport {

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
  [[nodiscard]] int release() noexcept { return std::exchange(descriptor_, -1); }

  void reset(int descriptor = -1) noexcept {
    // close(2) is not repeated on EINTR: on Linux the descriptor is gone by then, and may already be another thread's.
    if (descriptor_ >= 0) ::close(descriptor_);
    descriptor_ = descriptor;
  }

 private:
  int descriptor_ = -1;
};

}  // namespace toolwire::transport
