#include "system/program_streams.hpp"

#include <fcntl.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <cerrno>
#include <system_error>
#include <utility>

namespace toolwire::system {
namespace {

[[noreturn]] void fail(const char* what) { throw std::system_error(errno, std::generic_category(), what); }

FileDescriptor above_standard(int descriptor) {
  FileDescriptor own{descriptor};
  if (descriptor > STDERR_FILENO) return own;
  FileDescriptor copy{::fcntl(descriptor, F_DUPFD_CLOEXEC, STDERR_FILENO + 1)};
  if (!copy.is_open()) fail("cannot make the streams of a program");
  return copy;
}

StreamEnds ends_of(const int (&ends)[2]) {
  FileDescriptor second{ends[1]};
  FileDescriptor first = above_standard(ends[0]);
  return {std::move(first), above_standard(second.release())};
}

}  // namespace

StreamEnds pipe_ends() {
  int ends[2];
  if (::pipe2(ends, O_CLOEXEC) != 0) fail("cannot make a pipe to a program");
  return ends_of(ends);
}

StreamEnds socket_ends() {
  int ends[2];
  if (::socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends) != 0) fail("cannot make a socket to a program");
  return ends_of(ends);
}

FileDescriptor null_device() {
  const int null = ::open("/dev/null", O_RDWR | O_CLOEXEC);
  if (null < 0) fail("cannot open /dev/null");
  return above_standard(null);
}

void do_not_block(const FileDescriptor& descriptor) {
  if (descriptor.is_open()) ::fcntl(descriptor.get(), F_SETFL, ::fcntl(descriptor.get(), F_GETFL) | O_NONBLOCK);
}

FileDescriptor exit_descriptor(int process) {
  return FileDescriptor{static_cast<int>(::syscall(SYS_pidfd_open, process, 0))};
}

}  // namespace toolwire::system
