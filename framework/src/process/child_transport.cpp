#include "process/child_transport.hpp"

#include <poll.h>
#include <sys/socket.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <utility>

#include "transport/broken_pipe_signal.hpp"

namespace toolwire::process {
namespace {

// More than a pipe or a socket holds. A process that outlives the program and goes on writing cannot keep us reading.
constexpr std::size_t most_after_the_end = std::size_t{4} << 20;

}  // namespace

ChildTransport::ChildTransport(transport::FileDescriptor in, transport::FileDescriptor out, int exited)
    : in_{std::move(in)},
      out_{std::move(out)},
      exited_{exited},
      is_socket_{!out_.is_open()},
      left_to_read_{most_after_the_end} {}

std::ptrdiff_t ChildTransport::read(char* into, std::size_t room) {
  while (!at_end_) {
    if (!input_ends_ && wait_for_input() == Event::interrupt) return interrupted;
    const std::ptrdiff_t count = read_now(into, room);
    if (count > 0) return count;
    if (count == 0 || (errno != EINTR && errno != EAGAIN) || (errno == EAGAIN && input_ends_)) at_end_ = true;
  }
  return end_of_input;
}

std::ptrdiff_t ChildTransport::read_now(char* into, std::size_t room) {
  const bool ending = input_ends_;
  const std::ptrdiff_t count = ::read(in_.get(), into, ending ? std::min(room, left_to_read_) : room);
  if (ending && count > 0) left_to_read_ -= static_cast<std::size_t>(count);
  return count;
}

std::ptrdiff_t ChildTransport::write(const char* bytes, std::size_t count, Blocking blocking) {
  const std::lock_guard lock{writing_};
  std::size_t done = 0;
  while (done < count) {
    if (output_closed_) return peer_gone;
    const std::ptrdiff_t written = write_once(bytes + done, count - done);
    if (written >= 0) {
      done += static_cast<std::size_t>(written);
    } else if (errno == EAGAIN) {
      if (blocking == Blocking::no) break;
      if (!wait_for_room()) return peer_gone;
    } else if (errno != EINTR) {
      return peer_gone;
    }
  }
  return static_cast<std::ptrdiff_t>(done);
}

void ChildTransport::interrupt() { reader_wake_.set(); }

bool ChildTransport::input_closed() {
  if (at_end_ || input_ends_) return true;
  pollfd state[2] = {{in_.get(), POLLRDHUP, 0}, {exited_, POLLIN, 0}};
  return ::poll(state, 2, 0) > 0;
}

void ChildTransport::close_output() {
  if (output_closed_.exchange(true)) return;
  writer_wake_.set();
  const std::lock_guard lock{writing_};
  if (is_socket_) ::shutdown(in_.get(), SHUT_WR);
  out_.reset();
}

void ChildTransport::end_input() {
  input_ends_ = true;
  reader_wake_.set();
}

ChildTransport::Event ChildTransport::wait_for_input() {
  pollfd waiting[3] = {{in_.get(), POLLIN, 0}, {reader_wake_.descriptor(), POLLIN, 0}, {exited_, POLLIN, 0}};
  while (::poll(waiting, 3, -1) < 0 && errno == EINTR) {
  }
  if (waiting[2].revents != 0) input_ends_ = true;
  if (waiting[1].revents != 0 && !input_ends_) {
    reader_wake_.clear();
    return Event::interrupt;
  }
  return Event::input;
}

/// False if nobody will make room.
bool ChildTransport::wait_for_room() {
  pollfd waiting[3] = {
      {is_socket_ ? in_.get() : out_.get(), POLLOUT, 0}, {writer_wake_.descriptor(), POLLIN, 0}, {exited_, POLLIN, 0}};
  while (::poll(waiting, 3, -1) < 0 && errno == EINTR) {
  }
  return waiting[1].revents == 0 && waiting[2].revents == 0;
}

std::ptrdiff_t ChildTransport::write_once(const char* bytes, std::size_t count) const {
  if (is_socket_) return ::send(in_.get(), bytes, count, MSG_NOSIGNAL);
  const transport::BrokenPipeSignalHeldBack held_back;
  return ::write(out_.get(), bytes, count);
}

}  // namespace toolwire::process
