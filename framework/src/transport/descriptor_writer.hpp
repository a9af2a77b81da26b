// Writes to a descriptor that may be shared with other processes: a pipe, a socket, a terminal or a file. Independent
// of what is written.
#pragma once

#include <toolwire/transport.hpp>

#include <atomic>
#include <cstddef>

#include <toolwire/system/file_descriptor.hpp>

namespace toolwire::transport {

/// Borrows its descriptor and never changes the open file description behind it (O_NONBLOCK would reach every process
/// that shares it). One thread at a time. SIGPIPE never ends the process.
class DescriptorWriter {
 public:
  enum class BrokenPipeSignal {
    held_back_per_write,  ///< blocked in the thread around each write to a pipe: for libraries, two more system calls
    handled_by_process    ///< the process ignores or handles SIGPIPE already
  };

  DescriptorWriter(int descriptor, BrokenPipeSignal signal);

  /// As Transport::write.
  std::ptrdiff_t write(const char* bytes, std::size_t count, Transport::Blocking blocking);

  /// Opens a pipe a second time for writes that must not wait, which saves a poll per 4 KiB. The pipe's reader then
  /// sees its end only after this writer is destroyed too. Without effect on anything but pipes, or without /proc.
  void open_pipe_again();

  int descriptor() const { return descriptor_; }

  /// The errno of a write that has failed although the other end may still be there, as on a full disk; else 0. Any
  /// thread.
  int error() const { return error_; }

 private:
  enum class Kind { socket, pipe, device, other };

  std::ptrdiff_t write_all(const char* bytes, std::size_t count);
  std::ptrdiff_t write_what_fits(const char* bytes, std::size_t count);
  std::ptrdiff_t write_once(const char* bytes, std::size_t count, bool wait);
  std::ptrdiff_t write_to_pipe(int descriptor, const char* bytes, std::size_t count) const;
  bool ready(int timeout_ms) const;
  std::ptrdiff_t failed(int error);

  int descriptor_;
  Kind kind_ = Kind::other;
  BrokenPipeSignal signal_;
  std::atomic<int> error_ = 0;
  system::FileDescriptor not_waiting_;  // the same pipe under a description of our own, or closed
};

}  // namespace toolwire::transport
