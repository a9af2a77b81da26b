#include "transport/descriptor_transport.hpp"

#define BOOST_TEST_MODULE descriptor_transport_test
#include <fcntl.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

#include <atomic>
#include <boost/test/unit_test.hpp>
#include <csignal>
#include <string>
#include <system_error>
#include <thread>

using toolwire::Transport;
using toolwire::system::FileDescriptor;

namespace {

struct Ends {
  FileDescriptor read;
  FileDescriptor write;
};

Ends pipe_ends() {
  int ends[2];
  BOOST_REQUIRE(::pipe2(ends, O_CLOEXEC) == 0);
  return {FileDescriptor{ends[0]}, FileDescriptor{ends[1]}};
}

Ends socket_ends() {
  int ends[2];
  BOOST_REQUIRE(::socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends) == 0);
  return {FileDescriptor{ends[0]}, FileDescriptor{ends[1]}};
}

/// SIGPIPE at its default, as in a program that does not handle it (Boost.Test leaves it alone, but a shell may have
/// changed it).
struct DefaultSigpipe {
  DefaultSigpipe() { std::signal(SIGPIPE, SIG_DFL); }
};
BOOST_TEST_GLOBAL_FIXTURE(DefaultSigpipe);

std::string read_some(Transport& from) {
  char bytes[100];
  const auto count = from.read(bytes, sizeof bytes);
  return {bytes, count < 0 ? 0 : static_cast<std::size_t>(count)};
}

std::ptrdiff_t write(Transport& to, std::string_view bytes, Transport::Blocking blocking = Transport::Blocking::yes) {
  return to.write(bytes.data(), bytes.size(), blocking);
}

std::size_t drain(int descriptor) {
  std::string bytes(1 << 20, '\0');
  std::size_t total = 0;
  for (ssize_t count = 0; (count = ::read(descriptor, bytes.data(), bytes.size())) > 0;)
    total += static_cast<std::size_t>(count);
  return total;
}

void writes_without_waiting_stop_when_the_other_side_is_full(Ends ends) {
  const auto transport = toolwire::descriptor_transport(ends.read.get(), ends.write.get());
  const std::string much(std::size_t{4} << 20, 'm');
  const auto accepted = write(*transport, much, Transport::Blocking::no);
  BOOST_TEST((accepted > 0 && accepted < std::ptrdiff_t{4} << 20));
  BOOST_TEST(write(*transport, much, Transport::Blocking::no) == 0);
  BOOST_TEST((::fcntl(ends.write.get(), F_GETFL) & O_NONBLOCK) == 0);
}

void blocking_writes_arrive_whole(Ends ends) {
  const auto transport = toolwire::descriptor_transport(ends.read.get(), ends.write.get());
  std::size_t total = 0;
  std::thread reader{[&] { total = drain(ends.read.get()); }};
  const std::string much(std::size_t{4} << 20, 'm');
  BOOST_TEST(write(*transport, much) == std::ptrdiff_t{4} << 20);
  ends.write.reset();
  reader.join();
  BOOST_TEST(total == much.size());
}

}  // namespace

BOOST_AUTO_TEST_CASE(bytes_go_through_a_pipe) {
  const Ends ends = pipe_ends();
  const auto transport = toolwire::descriptor_transport(ends.read.get(), ends.write.get());
  BOOST_TEST(write(*transport, "hello") == 5);
  BOOST_TEST(read_some(*transport) == "hello");
}

BOOST_AUTO_TEST_CASE(a_socket_serves_both_directions) {
  const Ends ends = socket_ends();
  const auto left = toolwire::descriptor_transport(ends.read.get(), ends.read.get());
  const auto right = toolwire::descriptor_transport(ends.write.get(), ends.write.get());
  write(*left, "ping");
  BOOST_TEST(read_some(*right) == "ping");
  write(*right, "pong");
  BOOST_TEST(read_some(*left) == "pong");
}

BOOST_AUTO_TEST_CASE(a_closed_peer_is_seen_while_bytes_are_unread) {
  for (const auto make : {pipe_ends, socket_ends}) {
    Ends ends = make();
    const auto transport = toolwire::descriptor_transport(ends.read.get(), -1);
    BOOST_TEST(!transport->input_closed());
    BOOST_TEST(::write(ends.write.get(), "last", 4) == 4);
    BOOST_TEST(!transport->input_closed());
    ends.write.reset();
    BOOST_TEST(transport->input_closed());
    BOOST_TEST(read_some(*transport) == "last");
    char byte = 0;
    BOOST_TEST(transport->read(&byte, 1) == Transport::end_of_input);
  }
}

BOOST_AUTO_TEST_CASE(a_descriptor_that_is_none_is_end_of_input_and_a_gone_peer) {
  const auto transport = toolwire::descriptor_transport(-1, -1);
  char byte = 0;
  BOOST_TEST(transport->input_closed());
  BOOST_TEST(transport->read(&byte, 1) == Transport::end_of_input);
  BOOST_TEST(write(*transport, "x") == Transport::peer_gone);
  BOOST_TEST(write(*transport, "x", Transport::Blocking::no) == Transport::peer_gone);
}

BOOST_AUTO_TEST_CASE(an_interrupt_ends_a_blocked_read_and_loses_no_byte) {
  const Ends ends = pipe_ends();
  const auto transport = toolwire::descriptor_transport(ends.read.get(), ends.write.get());
  std::ptrdiff_t result = 7;
  char byte = 0;
  std::thread reader{[&] { result = transport->read(&byte, 1); }};
  transport->interrupt();
  reader.join();
  BOOST_TEST(result == Transport::interrupted);
  write(*transport, "x");
  BOOST_TEST(read_some(*transport) == "x");
}

BOOST_AUTO_TEST_CASE(a_non_blocking_description_of_somebody_else_is_waited_for) {
  const Ends ends = pipe_ends();
  ::fcntl(ends.read.get(), F_SETFL, O_NONBLOCK);
  const auto transport = toolwire::descriptor_transport(ends.read.get(), ends.write.get());
  std::string seen;
  std::thread reader{[&] { seen = read_some(*transport); }};
  write(*transport, "late");
  reader.join();
  BOOST_TEST(seen == "late");
}

BOOST_AUTO_TEST_CASE(writes_that_must_not_wait_stop_at_a_full_pipe) {
  writes_without_waiting_stop_when_the_other_side_is_full(pipe_ends());
}

BOOST_AUTO_TEST_CASE(writes_that_must_not_wait_stop_at_a_full_socket) {
  writes_without_waiting_stop_when_the_other_side_is_full(socket_ends());
}

BOOST_AUTO_TEST_CASE(large_blocking_writes_arrive_whole_through_a_pipe) { blocking_writes_arrive_whole(pipe_ends()); }

BOOST_AUTO_TEST_CASE(large_blocking_writes_arrive_whole_through_a_non_blocking_pipe) {
  Ends ends = pipe_ends();
  ::fcntl(ends.write.get(), F_SETFL, O_NONBLOCK);
  blocking_writes_arrive_whole(std::move(ends));
}

BOOST_AUTO_TEST_CASE(a_peer_that_no_longer_reads_is_reported_and_the_process_lives) {
  for (const auto make : {pipe_ends, socket_ends}) {
    Ends ends = make();
    const auto transport = toolwire::descriptor_transport(-1, ends.write.get());
    ends.read.reset();
    BOOST_TEST(write(*transport, "x") == Transport::peer_gone);
    BOOST_TEST(write(*transport, "x", Transport::Blocking::no) == Transport::peer_gone);
    sigset_t waiting;
    ::sigpending(&waiting);
    BOOST_TEST(::sigismember(&waiting, SIGPIPE) == 0);
  }
}

BOOST_AUTO_TEST_CASE(a_pipe_opened_again_takes_what_fits_and_leaves_the_first_description_alone) {
  Ends ends = pipe_ends();
  toolwire::transport::DescriptorWriter writer{
      ends.write.get(), toolwire::transport::DescriptorWriter::BrokenPipeSignal::held_back_per_write};
  writer.open_pipe_again();
  const std::string much(std::size_t{1} << 20, 'm');
  const auto accepted = writer.write(much.data(), much.size(), Transport::Blocking::no);
  BOOST_TEST((accepted > 0 && accepted < std::ptrdiff_t{1} << 20));
  BOOST_TEST(writer.write(much.data(), 1, Transport::Blocking::no) == 0);
  BOOST_TEST((::fcntl(ends.write.get(), F_GETFL) & O_NONBLOCK) == 0);
  ends.read.reset();
  BOOST_TEST(writer.write(much.data(), 1, Transport::Blocking::no) == Transport::peer_gone);
}

BOOST_AUTO_TEST_CASE(a_unix_socket_is_connected_by_path) {
  char folder[] = "/tmp/toolwire-socket-XXXXXX";
  BOOST_REQUIRE(::mkdtemp(folder) != nullptr);
  const std::string path = std::string{folder} + "/s";
  const FileDescriptor listener{::socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0)};
  sockaddr_un address{};
  address.sun_family = AF_UNIX;
  path.copy(address.sun_path, sizeof address.sun_path - 1);
  BOOST_REQUIRE(::bind(listener.get(), reinterpret_cast<const sockaddr*>(&address), sizeof address) == 0);
  BOOST_REQUIRE(::listen(listener.get(), 1) == 0);

  auto client = toolwire::connect_unix_socket(path);
  const FileDescriptor accepted{::accept(listener.get(), nullptr, nullptr)};
  const auto server = toolwire::descriptor_transport(accepted.get(), accepted.get());
  write(*client, "hello");
  BOOST_TEST(read_some(*server) == "hello");
  client.reset();
  BOOST_TEST(server->input_closed());
  ::unlink(path.c_str());
  ::rmdir(folder);
}

BOOST_AUTO_TEST_CASE(a_socket_that_cannot_be_reached_is_named_in_the_error) {
  const auto names_the_path = [](const std::system_error& error) {
    return std::string_view{error.what()}.find("/nonexistent/socket") != std::string_view::npos;
  };
  BOOST_CHECK_EXCEPTION(toolwire::connect_unix_socket("/nonexistent/socket"), std::system_error, names_the_path);
  BOOST_CHECK_THROW(toolwire::connect_unix_socket(std::string(200, 'x')), std::system_error);
  BOOST_CHECK_THROW(toolwire::connect_unix_socket(""), std::system_error);
}
