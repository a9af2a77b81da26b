#include <toolwire/system/file_descriptor.hpp>

#include <unistd.h>

namespace toolwire::system {

// close(2) is not repeated on EINTR: on Linux the descriptor is gone by then, and may already be another thread's.
void FileDescriptor::close() noexcept { ::close(descriptor_); }

}  // namespace toolwire::system
