#include "transport/descriptor_transport.hpp"

#include <poll.h>
#include <unistd.h>

#include <cerrno>
#include <utility>

namespace toolwire {
namespace transport {
namespace {

constexpr short has_something = POLLIN | POLLHUP | POLLERR | POLLNVAL;

}  // namespace

bool peer_has_closed(int in) {
  if (in < 0) return true;
  pollfd state{in, POLLRDHUP, 0};
  return ::poll(&state, 1, 0) > 0 && (state.revents & (POLLRDHUP | POLLHUP | POLLERR | POLLNVAL)) != 0;
}

DescriptorTransport::DescriptorTransport(int in, int out)
    : in_{in}, reader_at_once_{in}, writer_{out, DescriptorWriter::BrokenPipeSignal::held_back_per_write} {}

std::ptrdiff_t DescriptorTransport::read(char* into, std::size_t room) {
  while (true) {
    if (!wait_for_input()) return interrupted;
    const std::ptrdiff_t count = ::read(in_, into, room);
    if (count > 0) return count;
    if (count < 0 && (errno == EINTR || errno == EAGAIN)) continue;
    ended_ = true;
    return end_of_input;
  }
}

std::ptrdiff_t DescriptorTransport::read_at_once(char* into, std::size_t room) {
  const std::ptrdiff_t count = reader_at_once_.read(into, room);
  if (count == end_of_input) ended_ = true;
  return count;
}

std::ptrdiff_t DescriptorTransport::write(const char* bytes, std::size_t count, Blocking blocking) {
  return writer_.write(bytes, count, blocking);
}

void DescriptorTransport::interrupt() { wake_.set(); }

bool DescriptorTransport::input_closed() { return ended_ || peer_has_closed(in_); }

/// False if an interrupt came instead.
bool DescriptorTransport::wait_for_input() {
  if (in_ < 0) return true;  // poll would overlook it
  pollfd waiting[2] = {{in_, POLLIN, 0}, {wake_.descriptor(), POLLIN, 0}};
  while (true) {
    if (::poll(waiting, 2, -1) < 0 && errno != EINTR) return true;  // read(2) will report the error
    if ((waiting[1].revents & POLLIN) != 0) {
      wake_.clear();
      return false;
    }
    if ((waiting[0].revents & has_something) != 0) return true;
    waiting[0].revents = waiting[1].revents = 0;
  }
}

OwningDescriptorTransport::OwningDescriptorTransport(system::FileDescriptor in, system::FileDescriptor out)
    : DescriptorTransport{in.get(), out.is_open() ? out.get() : in.get()},
      own_in_{std::move(in)},
      own_out_{std::move(out)} {}

}  // namespace transport

std::unique_ptr<Transport> descriptor_transport(int in, int out) {
  return std::make_unique<transport::DescriptorTransport>(in, out);
}

}  // namespace toolwire
