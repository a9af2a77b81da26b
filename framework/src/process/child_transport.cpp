#include "process/child_transport.hpp"

#include <poll.h>
#include <sys/epoll.h>
#include <sys/socket.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <system_error>
#include <utility>

#include "transport/broken_pipe_signal.hpp"

namespace toolwire::process {
namespace {

// More than a pipe or a socket holds. Bounds the reading if a process outlives the program and keeps writing.
constexpr std::size_t max_bytes_after_end = std::size_t{4} << 20;

constexpr int without_end = -1;  // of a wait
constexpr int not_at_all = 0;

}  // namespace

ChildTransport::ChildTransport(system::FileDescriptor in, system::FileDescriptor out, int exited)
    : in_{std::move(in)},
      out_{std::move(out)},
      exited_{exited},
      is_socket_{!out_.is_open()},
      awaited_{::epoll_create1(EPOLL_CLOEXEC)},
      room_{::epoll_create1(EPOLL_CLOEXEC)},
      left_to_read_{max_bytes_after_end} {
  watch(in_.get(), from_input);
  watch(reader_wake_.descriptor(), from_interrupt);
  if (exited_ >= 0) watch(exited_, from_exit);
  watch_output(is_socket_ ? in_.get() : out_.get(), EPOLLOUT);
  watch_output(writer_wake_.descriptor(), EPOLLIN);
}

void ChildTransport::watch_output(int descriptor, std::uint32_t events) {
  epoll_event event{.events = events, .data = {}};
  if (::epoll_ctl(room_.get(), EPOLL_CTL_ADD, descriptor, &event) != 0)
    throw std::system_error(errno, std::generic_category(), "cannot wait for the input of a program");
}

void ChildTransport::watch(int descriptor, Source source) {
  epoll_event event{.events = EPOLLIN, .data = {.u32 = source}};
  if (::epoll_ctl(awaited_.get(), EPOLL_CTL_ADD, descriptor, &event) != 0)
    throw std::system_error(errno, std::generic_category(), "cannot wait for the output of a program");
}

std::ptrdiff_t ChildTransport::read(char* into, std::size_t room) {
  while (!at_end_) {
    if (!input_ends_ && wait_for_input(without_end) == Event::interrupt) return interrupted;
    const std::ptrdiff_t count = read_now(into, room);
    if (count > 0) return count;
    if (count == 0 || (errno != EINTR && errno != EAGAIN) || (errno == EAGAIN && input_ends_)) at_end_ = true;
  }
  return end_of_input;
}

std::ptrdiff_t ChildTransport::read_at_once(char* into, std::size_t room) {
  if (at_end_ || input_ends_) return 0;
  return std::max<std::ptrdiff_t>(read_now(into, room), 0);
}

/// Reads first, since that is what there is to do nearly always.
std::ptrdiff_t ChildTransport::try_read(char* into, std::size_t room) {
  while (!at_end_) {
    const bool ends = input_ends_;
    const std::ptrdiff_t count = read_now(into, room);
    if (count > 0) return count;
    const bool is_empty = count < 0 && (errno == EAGAIN || errno == EINTR);
    if (!is_empty || (ends && errno == EAGAIN)) {
      at_end_ = true;
    } else if (!input_ends_ && wait_for_input(not_at_all) != Event::input) {
      return interrupted;
    }
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
  const MutexLock lock(writing_);
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
  const MutexLock lock(writing_);
  if (is_socket_) ::shutdown(in_.get(), SHUT_WR);
  if (out_.is_open()) ::epoll_ctl(room_.get(), EPOLL_CTL_DEL, out_.get(), nullptr);  // a forked process may keep a copy
  out_.reset();
}

void ChildTransport::end_input() {
  input_ends_ = true;
  reader_wake_.set();
}

ChildTransport::Event ChildTransport::wait_for_input(int timeout) {
  epoll_event events[3];
  int count = 0;
  while ((count = ::epoll_wait(awaited_.get(), events, 3, timeout)) < 0 && errno == EINTR) {
  }
  if (count == 0) return Event::none;
  bool interrupted_now = false;
  for (int i = 0; i < count; ++i) {
    if (events[i].data.u32 == from_exit) input_ends_ = true;
    if (events[i].data.u32 == from_interrupt) interrupted_now = true;
  }
  if (!interrupted_now || input_ends_) return Event::input;
  reader_wake_.clear();
  return Event::interrupt;
}

/// False if the other side will not make room.
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
