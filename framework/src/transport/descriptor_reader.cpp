#include "transport/descriptor_reader.hpp"

#include <fcntl.h>
#include <poll.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <string>

#include <toolwire/transport.hpp>

namespace toolwire::transport {

int lasting_read_error(int error, int descriptor) {
  const bool has_left = error == ECONNRESET || error == EBADF || (error == EIO && ::isatty(descriptor) == 1);
  return has_left ? 0 : error;
}

std::ptrdiff_t DescriptorReader::read(char* into, std::size_t room) {
  if (kind_ == Kind::unknown) look();
  const std::ptrdiff_t count = read_once(into, room);
  if (count > 0) return count;
  if (count < 0 && (errno == EAGAIN || errno == EWOULDBLOCK || errno == EINTR)) return Transport::interrupted;
  if (count < 0) error_ = lasting_read_error(errno, descriptor_);
  return Transport::end_of_input;
}

void DescriptorReader::look() {
  kind_ = Kind::other;
  struct stat about {};
  if (::fstat(descriptor_, &about) != 0) return;
  if (S_ISSOCK(about.st_mode)) kind_ = Kind::socket;
  if (!S_ISFIFO(about.st_mode)) return;
  const std::string path = "/proc/self/fd/" + std::to_string(descriptor_);
  not_waiting_ = system::FileDescriptor{::open(path.c_str(), O_RDONLY | O_NONBLOCK | O_CLOEXEC | O_NOCTTY)};
  if (not_waiting_.is_open()) kind_ = Kind::pipe_of_our_own;
}

std::ptrdiff_t DescriptorReader::read_once(char* into, std::size_t room) {
  if (kind_ == Kind::socket) return ::recv(descriptor_, into, room, MSG_DONTWAIT);
  if (kind_ == Kind::pipe_of_our_own) return ::read(not_waiting_.get(), into, room);
  pollfd waiting{descriptor_, POLLIN, 0};
  if (descriptor_ >= 0 && ::poll(&waiting, 1, 0) == 0) {
    errno = EAGAIN;
    return -1;
  }
  return ::read(descriptor_, into, room);
}

}  // namespace toolwire::transport
