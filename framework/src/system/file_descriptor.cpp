#include <toolwire/system/file_descriptor.hpp>

#include <fcntl.h>
#include <unistd.h>

namespace toolwire::system {

// close(2) is not repeated on EINTR: on Linux the descriptor is gone by then, and may already be another thread's.
void FileDescriptor::close() noexcept { ::close(descriptor_); }

FileDescriptor beside_standard_streams(FileDescriptor descriptor) noexcept {
  if (!descriptor.is_open() || descriptor.get() > STDERR_FILENO) return descriptor;
  return FileDescriptor{::fcntl(descriptor.get(), F_DUPFD_CLOEXEC, STDERR_FILENO + 1)};
}

}  // namespace toolwire::system
