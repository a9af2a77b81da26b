#include "transport/descriptor_writer.hpp"

#include <fcntl.h>
#include <poll.h>
#include <sys/socket.h>
#include <sys/stat.h>

#include <algorithm>
#include <cerrno>
#include <climits>
#include <string>

#include "transport/broken_pipe_signal.hpp"

namespace toolwire::transport {
namespace {

bool would_wait(int error) { return error == EAGAIN || error == EWOULDBLOCK; }

}  // namespace

DescriptorWriter::DescriptorWriter(int descriptor, BrokenPipeSignal signal) : descriptor_{descriptor}, signal_{signal} {
  struct stat about {};
  if (::fstat(descriptor, &about) != 0) return;
  if (S_ISSOCK(about.st_mode)) kind_ = Kind::socket;
  if (S_ISFIFO(about.st_mode)) kind_ = Kind::pipe;
  if (S_ISCHR(about.st_mode)) kind_ = Kind::device;
}

void DescriptorWriter::open_pipe_again() {
  if (kind_ != Kind::pipe) return;
  const std::string path = "/proc/self/fd/" + std::to_string(descriptor_);
  not_waiting_ = system::FileDescriptor{::open(path.c_str(), O_WRONLY | O_NONBLOCK | O_CLOEXEC | O_NOCTTY)};
}

std::ptrdiff_t DescriptorWriter::write(const char* bytes, std::size_t count, Transport::Blocking blocking) {
  return blocking == Transport::Blocking::yes ? write_all(bytes, count) : write_what_fits(bytes, count);
}

std::ptrdiff_t DescriptorWriter::write_all(const char* bytes, std::size_t count) {
  std::size_t done = 0;
  while (done < count) {
    const std::ptrdiff_t written = write_once(bytes + done, count - done, true);
    if (written >= 0) {
      done += static_cast<std::size_t>(written);
    } else if (would_wait(errno)) {
      ready(-1);  // another process made the description non-blocking
    } else if (errno != EINTR) {
      return failed(errno);
    }
  }
  return static_cast<std::ptrdiff_t>(done);
}

std::ptrdiff_t DescriptorWriter::write_what_fits(const char* bytes, std::size_t count) {
  std::size_t done = 0;
  while (done < count) {
    const std::ptrdiff_t written = write_once(bytes + done, count - done, false);
    if (written > 0) {
      done += static_cast<std::size_t>(written);
    } else if (written == 0 || would_wait(errno)) {
      break;
    } else if (errno != EINTR) {
      return failed(errno);
    }
  }
  return static_cast<std::ptrdiff_t>(done);
}

std::ptrdiff_t DescriptorWriter::write_once(const char* bytes, std::size_t count, bool wait) {
  if (kind_ == Kind::socket) return ::send(descriptor_, bytes, count, MSG_NOSIGNAL | (wait ? 0 : MSG_DONTWAIT));
  if (wait) return write_to_pipe(descriptor_, bytes, count);
  if (not_waiting_.is_open()) return write_to_pipe(not_waiting_.get(), bytes, count);
  // A pipe that polls as writable has a free page, so PIPE_BUF bytes go in without waiting.
  if (!ready(0)) return 0;
  return write_to_pipe(descriptor_, bytes, std::min<std::size_t>(count, PIPE_BUF));
}

std::ptrdiff_t DescriptorWriter::write_to_pipe(int descriptor, const char* bytes, std::size_t count) const {
  if (kind_ != Kind::pipe || signal_ == BrokenPipeSignal::handled_by_process) return ::write(descriptor, bytes, count);
  const BrokenPipeSignalHeldBack held_back;
  return ::write(descriptor, bytes, count);
}

/// A client that is gone is no failure: its pipe, socket or terminal says so, or there was no descriptor from the
/// start.
std::ptrdiff_t DescriptorWriter::failed(int error) {
  const bool is_gone =
      error == EPIPE || error == ECONNRESET || error == EBADF || (error == EIO && kind_ == Kind::device);
  if (!is_gone) error_ = error;
  return Transport::peer_gone;
}

bool DescriptorWriter::ready(int timeout_ms) const {
  if (descriptor_ < 0) return true;  // poll would ignore it; write(2) reports the error
  pollfd waiting{descriptor_, POLLOUT, 0};
  return ::poll(&waiting, 1, timeout_ms) > 0;
}

}  // namespace toolwire::transport
