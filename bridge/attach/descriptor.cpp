#include "attach/descriptor.hpp"

#include <sys/socket.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <climits>

namespace toolwire::attach {

Descriptor::~Descriptor() {
  if (number_ >= 0) ::close(number_);
}

std::ptrdiff_t write_some(int descriptor, std::string_view text) {
  const ssize_t sent = ::send(descriptor, text.data(), text.size(), MSG_DONTWAIT | MSG_NOSIGNAL);
  if (sent >= 0 || errno != ENOTSOCK) return sent;
  return ::write(descriptor, text.data(), std::min<std::size_t>(text.size(), PIPE_BUF));  // a ready pipe takes so much
}

bool says_nobody_reads(int descriptor, int error) {
  if (error == EPIPE || error == ECONNRESET || error == EBADF) return true;
  struct stat about {};
  return error == EIO && ::fstat(descriptor, &about) == 0 && S_ISCHR(about.st_mode);
}

}  // namespace toolwire::attach
