// Reads a descriptor that may be shared with other processes, without waiting. Independent of what is read.
#pragma once

#include <cstddef>

#include <toolwire/system/file_descriptor.hpp>

namespace toolwire::transport {

/// What an error of read(2) says of a stream that has ended: 0 if the other side has left, or nobody was there.
int lasting_read_error(int error, int descriptor);

/// Borrows its descriptor and never changes the open file description behind it (O_NONBLOCK would reach every process
/// that shares it). One thread at a time.
class DescriptorReader {
 public:
  explicit DescriptorReader(int descriptor) : descriptor_{descriptor} {}

  /// As Transport::read, but Transport::interrupted if nothing is there.
  std::ptrdiff_t read(char* into, std::size_t room);

  /// Why the end was reported although whoever writes has not left: an error of read(2), else 0.
  int error() const { return error_; }

 private:
  enum class Kind { unknown, socket, pipe_of_our_own, other };

  void look();
  std::ptrdiff_t read_once(char* into, std::size_t room);

  int descriptor_;
  int error_ = 0;
  Kind kind_ = Kind::unknown;
  system::FileDescriptor not_waiting_;  // the same pipe under a description of our own
};

}  // namespace toolwire::transport
