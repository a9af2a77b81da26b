#include "transport/stdio_transport.hpp"

#include <poll.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <cerrno>
#include <csignal>
#include <utility>

#include "transport/broken_pipe_signal.hpp"
#include "transport/descriptor_transport.hpp"

namespace toolwire::transport {
namespace {

constexpr int wake_signal = SIGURG;

void install_empty_handler(int signal) {
  struct sigaction action {};
  action.sa_handler = [](int) {};
  ::sigemptyset(&action.sa_mask);
  action.sa_flags = 0;  // no SA_RESTART: the point is that read(2) returns
  ::sigaction(signal, &action, nullptr);
}

void survive_broken_pipes() {
  struct sigaction now {};
  if (::sigaction(SIGPIPE, nullptr, &now) == 0 && now.sa_handler == SIG_DFL) install_empty_handler(SIGPIPE);
  broken_pipes_are_survived();
}

/// The kernel's name of this thread; on the first call in a thread also lets the wake signal through.
pid_t this_reader() {
  thread_local const pid_t id = [] {
    sigset_t wake;
    ::sigemptyset(&wake);
    ::sigaddset(&wake, wake_signal);
    ::pthread_sigmask(SIG_UNBLOCK, &wake, nullptr);
    return static_cast<pid_t>(::syscall(SYS_gettid));
  }();
  return id;
}

void wait_until_readable(int in) {
  pollfd waiting{in, POLLIN, 0};
  ::poll(&waiting, 1, -1);
}

}  // namespace

StdioTransport::StdioTransport() : StdioTransport{take_standard_streams()} {}

StdioTransport::StdioTransport(ProtocolStreams streams)
    : streams_{std::move(streams)},
      reader_at_once_{streams_.in.get()},
      writer_{streams_.out.get(), DescriptorWriter::BrokenPipeSignal::handled_by_process} {
  install_empty_handler(wake_signal);
  survive_broken_pipes();
  writer_.open_pipe_again();
}

std::ptrdiff_t StdioTransport::read(char* into, std::size_t room) {
  while (true) {
    // Kernel thread ids, not pthread_t: sending a signal to one whose thread has ended is harmless.
    reader_.store(this_reader(), std::memory_order_relaxed);
    const std::ptrdiff_t count = ::read(streams_.in.get(), into, room);
    const int error = errno;
    reader_.store(0, std::memory_order_relaxed);
    if (count > 0) return count;
    if (count < 0 && error == EINTR) return interrupted;
    if (count < 0 && error != EAGAIN) read_error_ = lasting_read_error(error, streams_.in.get());
    if (count == 0 || error != EAGAIN) break;
    wait_until_readable(streams_.in.get());  // another process made the shared description non-blocking
  }
  ended_ = true;
  return end_of_input;
}

std::ptrdiff_t StdioTransport::read_at_once(char* into, std::size_t room) {
  const std::ptrdiff_t count = reader_at_once_.read(into, room);
  if (count == end_of_input) {
    read_error_ = reader_at_once_.error();
    ended_ = true;
  }
  return count;
}

std::ptrdiff_t StdioTransport::write(const char* bytes, std::size_t count, Blocking blocking) {
  return writer_.write(bytes, count, blocking);
}

void StdioTransport::interrupt() {
  if (const pid_t reader = reader_.load(); reader != 0) ::syscall(SYS_tgkill, ::getpid(), reader, wake_signal);
}

bool StdioTransport::input_closed() { return ended_ || peer_has_closed(streams_.in.get()); }

}  // namespace toolwire::transport

namespace toolwire {

std::unique_ptr<Transport> standard_streams() { return std::make_unique<transport::StdioTransport>(); }

}  // namespace toolwire
