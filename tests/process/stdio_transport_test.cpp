#include "transport/stdio_transport.hpp"

#define BOOST_TEST_MODULE stdio_transport_test
#include <fcntl.h>
#include <poll.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <atomic>
#include <boost/test/unit_test.hpp>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <string>
#include <thread>

#include "forked.hpp"

using toolwire::Transport;
using toolwire::transport::StdioTransport;
using namespace toolwire_test;

namespace {

/// Numbered checks inside a forked process, where Boost.Test must not run: the status is the number of the first that
/// failed.
class Checks {
 public:
  void operator()(bool holds) {
    ++count_;
    if (!holds && failed_ == 0) failed_ = count_;
  }
  [[nodiscard]] int status() const { return failed_; }

 private:
  int count_ = 0;
  int failed_ = 0;
};

std::ptrdiff_t write(Transport& to, std::string_view bytes, Transport::Blocking blocking = Transport::Blocking::yes) {
  return to.write(bytes.data(), bytes.size(), blocking);
}

bool is_open(int descriptor) { return ::fcntl(descriptor, F_GETFD) >= 0; }

/// Only some of 0, 1 and 2 are open when the transport begins: those whose bit is set.
int begin_with(int open) {
  for (int standard = 0; standard < 3; ++standard) {
    if ((open & (1 << standard)) == 0) ::close(standard);
  }
  Checks check;
  StdioTransport transport;
  char byte = 0;
  check(is_open(0) && is_open(1) && is_open(2));
  check(::read(0, &byte, 1) == 0);
  check(::open("/dev/null", O_RDONLY) > 2);
  check(write(transport, "p") == ((open & 2) != 0 ? 1 : Transport::peer_gone));
  check(::write(1, "e", 1) == 1);
  check(transport.read(&byte, 1) == ((open & 1) != 0 ? 1 : Transport::end_of_input));
  check((::fcntl(0, F_GETFD) & FD_CLOEXEC) == 0 && (::fcntl(1, F_GETFD) & FD_CLOEXEC) == 0);
  check((::fcntl(2, F_GETFD) & FD_CLOEXEC) == 0);
  return check.status();
}

int read_until_interrupted() {
  StdioTransport transport;
  std::atomic<bool> noticed = false;
  std::thread reader{[&] {
    char byte = 0;
    while (transport.read(&byte, 1) != Transport::interrupted) {
    }
    noticed = true;
  }};
  while (!noticed) {
    transport.interrupt();
    std::this_thread::yield();
  }
  reader.join();
  transport.interrupt();  // nobody reads: nothing happens
  return 0;
}

}  // namespace

BOOST_AUTO_TEST_CASE(bytes_go_in_and_out) {
  Forked process{[] {
    StdioTransport transport;
    char bytes[100];
    const auto count = transport.read(bytes, sizeof bytes);
    write(transport, {bytes, static_cast<std::size_t>(count)});
    return transport.read(bytes, sizeof bytes) == Transport::end_of_input && transport.input_closed() ? 0 : 1;
  }};
  process.send("hello");
  process.close_input();
  BOOST_TEST(process.output() == "hello");
  BOOST_TEST(process.wait() == 0);
}

BOOST_AUTO_TEST_CASE(what_others_print_goes_to_standard_error) {
  Forked process{[] {
    StdioTransport transport;
    std::printf("printed ");
    std::fflush(stdout);
    const int status = std::system("echo from a child");  // NOLINT(cert-env33-c): a child with our streams
    return status == 0 && write(transport, "protocol") == 8 ? 0 : 1;
  }};
  BOOST_TEST(process.output() == "protocol");
  BOOST_TEST(process.errors() == "printed from a child\n");
  BOOST_TEST(process.wait() == 0);
}

BOOST_AUTO_TEST_CASE(children_cannot_read_the_protocol) {
  Forked process{[] {
    StdioTransport transport;
    if (std::system("test -z \"$(cat)\"") != 0) return 1;  // NOLINT(cert-env33-c): a child with our streams
    char byte = 0;
    return transport.read(&byte, 1) == 1 && byte == 'x' ? 0 : 2;
  }};
  process.send("x");
  BOOST_TEST(process.wait() == 0);
}

BOOST_AUTO_TEST_CASE(standard_streams_that_are_closed_at_the_start_stay_harmless) {
  for (int open = 0; open < 8; ++open) {
    BOOST_TEST_CONTEXT("open: " << open) {
      Forked process{[open] { return begin_with(open); }};
      if ((open & 1) != 0) process.send("x");
      BOOST_TEST(process.wait() == 0);
      BOOST_TEST(process.output() == ((open & 2) != 0 ? "p" : ""));
      BOOST_TEST(process.errors() == ((open & 4) != 0 ? "e" : ""));
    }
  }
}

BOOST_AUTO_TEST_CASE(no_new_descriptor_is_inherited_by_programs) {
  Forked process{[] {
    bool open_before[256];
    for (int i = 3; i < 256; ++i) open_before[i] = is_open(i);
    StdioTransport transport;
    for (int i = 3; i < 256; ++i) {
      if (!open_before[i] && is_open(i) && (::fcntl(i, F_GETFD) & FD_CLOEXEC) == 0) return i;
    }
    return 0;
  }};
  BOOST_TEST(process.wait() == 0);
}

BOOST_AUTO_TEST_CASE(an_interrupt_ends_a_blocked_read) {
  Forked process{read_until_interrupted};
  BOOST_TEST(process.wait() == 0);
}

BOOST_AUTO_TEST_CASE(an_interrupt_works_although_the_parent_blocked_all_signals) {
  Forked process{[] {
    sigset_t all;
    ::sigfillset(&all);
    ::pthread_sigmask(SIG_BLOCK, &all, nullptr);
    return read_until_interrupted();
  }};
  BOOST_TEST(process.wait() == 0);
}

BOOST_AUTO_TEST_CASE(a_broken_pipe_is_reported_and_programs_started_later_have_the_default_signal) {
  Forked process{[] {
    std::signal(SIGPIPE, SIG_DFL);
    StdioTransport transport;
    char byte = 0;
    if (transport.read(&byte, 1) != 1) return 1;
    if (write(transport, "x") != Transport::peer_gone) return 2;
    if (write(transport, "x", Transport::Blocking::no) != Transport::peer_gone) return 3;
    const int status = std::system("kill -PIPE $$");  // NOLINT(cert-env33-c): a child with our signals
    return WIFSIGNALED(status) && WTERMSIG(status) == SIGPIPE ? 0 : 4;
  }};
  process.close_output();
  process.send("x");
  BOOST_TEST(process.wait() == 0);
}

BOOST_AUTO_TEST_CASE(a_full_pipe_takes_what_fits_and_its_description_is_left_alone) {
  Forked process{[] {
    const bool was_blocking = (::fcntl(1, F_GETFL) & O_NONBLOCK) == 0;
    const int same_description = ::dup(1);
    StdioTransport transport;
    const std::string much(std::size_t{1} << 20, 'm');
    const auto accepted = write(transport, much, Transport::Blocking::no);
    if (accepted <= 0 || accepted == std::ptrdiff_t{1} << 20) return 1;
    return was_blocking && (::fcntl(same_description, F_GETFL) & O_NONBLOCK) == 0 ? 0 : 2;
  }};
  BOOST_TEST(process.wait() == 0);
  BOOST_TEST(!process.output().empty());
}
