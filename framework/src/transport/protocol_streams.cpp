#include "transport/protocol_streams.hpp"

#include <fcntl.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <iostream>
#include <optional>
#include <system_error>
#include <utility>

#include "toolwire/detail/mutex.hpp"
#include "toolwire/transport.hpp"

namespace toolwire::transport {
namespace {

[[noreturn]] void fail(const char* what) { throw std::system_error(errno, std::generic_category(), what); }

/// A copy above the standard descriptors; closed if `descriptor` is.
system::FileDescriptor private_copy(int descriptor) {
  system::FileDescriptor copy{::fcntl(descriptor, F_DUPFD_CLOEXEC, STDERR_FILENO + 1)};
  if (!copy.is_open() && errno != EBADF) fail("cannot take a standard stream");
  return copy;
}

/// Something that reads as empty and discards what is written: /dev/null, or in a root without it an unused pipe.
system::FileDescriptor nothing() {
  // What is opened may land on a standard descriptor that was closed; hence the copy.
  const system::FileDescriptor null{::open("/dev/null", O_RDWR | O_CLOEXEC)};
  if (null.is_open()) return private_copy(null.get());
  int ends[2];
  if (::pipe2(ends, O_CLOEXEC) != 0) fail("cannot open /dev/null or a pipe");
  const system::FileDescriptor read_end{ends[0]};
  const system::FileDescriptor write_end{ends[1]};
  return private_copy(read_end.get());
}

void point(int standard, int at) {
  while (::dup2(at, standard) < 0) {
    if (errno != EINTR && errno != EBUSY) fail("cannot redirect a standard stream");
  }
}

bool is_closed(int descriptor) { return ::fcntl(descriptor, F_GETFD) < 0; }

/// What has been claimed and not been handed out yet. Of the process.
class Claim {
 public:
  void make();
  std::optional<ProtocolStreams> hand_out();
  void give_back();
  bool has_terminal();

 private:
  Mutex mutex_;
  std::optional<ProtocolStreams> streams_ TOOLWIRE_GUARDED_BY(mutex_);
  bool was_handed_out_ TOOLWIRE_GUARDED_BY(mutex_) = false;
};

Claim& claim() {
  // NOLINTNEXTLINE(cppcoreguidelines-avoid-non-const-global-variables): threads may use it when the process ends
  static Claim& the_claim = *new Claim;
  return the_claim;
}

ProtocolStreams take_streams_now() {
  ProtocolStreams streams{private_copy(STDIN_FILENO), private_copy(STDOUT_FILENO)};
  const system::FileDescriptor empty{nothing()};
  const bool stderr_was_closed = is_closed(STDERR_FILENO);
  point(STDIN_FILENO, empty.get());
  if (stderr_was_closed) point(STDERR_FILENO, empty.get());
  point(STDOUT_FILENO, STDERR_FILENO);
  return streams;
}

/// Puts a stream back where it was; one that was closed is closed again.
void put_back(int standard, const system::FileDescriptor& stream) {
  if (stream.is_open()) return point(standard, stream.get());
  ::close(standard);
}

/// What was printed so far, and waits in a buffer, must not come out behind it.
void flush_printed() {
  std::cout.flush();
  std::fflush(stdout);
}

void Claim::make() {
  const MutexLock lock(mutex_);
  if (!streams_ && !was_handed_out_) streams_ = take_streams_now();
}

std::optional<ProtocolStreams> Claim::hand_out() {
  const MutexLock lock(mutex_);
  was_handed_out_ = true;
  return std::exchange(streams_, std::nullopt);
}

void Claim::give_back() {
  const MutexLock lock(mutex_);
  if (!streams_) return;
  flush_printed();
  put_back(STDIN_FILENO, streams_->in);
  put_back(STDOUT_FILENO, streams_->out);
  streams_.reset();
}

bool Claim::has_terminal() {
  const MutexLock lock(mutex_);
  return ::isatty(streams_ ? streams_->in.get() : STDIN_FILENO) != 0;
}

}  // namespace

ProtocolStreams take_standard_streams() {
  auto claimed = claim().hand_out();
  return claimed ? std::move(*claimed) : take_streams_now();
}

bool is_started_by_hand() { return claim().has_terminal(); }

}  // namespace toolwire::transport

namespace toolwire {

void claim_stdio() { transport::claim().make(); }

void release_stdio() { transport::claim().give_back(); }

}  // namespace toolwire
