#include <toolwire/transport.hpp>

#define BOOST_TEST_MODULE memory_transport_test
#include <boost/test/unit_test.hpp>
#include <string>
#include <thread>

using toolwire::memory_transports;
using toolwire::Transport;

namespace {

std::string read_some(Transport& from, std::size_t room = 100) {
  std::string bytes(room, '\0');
  const auto count = from.read(bytes.data(), room);
  bytes.resize(count < 0 ? 0 : static_cast<std::size_t>(count));
  return bytes;
}

std::ptrdiff_t write(Transport& to, std::string_view bytes) {
  return to.write(bytes.data(), bytes.size(), Transport::Blocking::yes);
}

}  // namespace

BOOST_AUTO_TEST_CASE(each_end_reads_what_the_other_wrote) {
  const auto [left, right] = memory_transports();
  BOOST_TEST(write(*left, "to the right") == 12);
  BOOST_TEST(write(*right, "to the left") == 11);
  BOOST_TEST(read_some(*right, 6) == "to the");
  BOOST_TEST(read_some(*right) == " right");
  BOOST_TEST(read_some(*left) == "to the left");
}

BOOST_AUTO_TEST_CASE(a_read_waits_for_bytes) {
  const auto ends = memory_transports();
  std::thread writer{[&] { write(*ends.first, "x"); }};
  BOOST_TEST(read_some(*ends.second) == "x");
  writer.join();
}

BOOST_AUTO_TEST_CASE(destroying_one_end_is_end_of_input_after_the_last_byte) {
  auto [left, right] = memory_transports();
  write(*left, "bye");
  BOOST_TEST(!right->input_closed());
  left.reset();
  BOOST_TEST(right->input_closed());
  BOOST_TEST(read_some(*right) == "bye");
  char byte = 0;
  BOOST_TEST(right->read(&byte, 1) == Transport::end_of_input);
  BOOST_TEST(write(*right, "anyone?") == Transport::peer_gone);
}

BOOST_AUTO_TEST_CASE(an_interrupt_ends_a_waiting_read_once) {
  const auto ends = memory_transports();
  char byte = 0;
  std::ptrdiff_t result = 7;
  std::thread reader{[&] { result = ends.first->read(&byte, 1); }};
  ends.first->interrupt();
  reader.join();
  BOOST_TEST(result == Transport::interrupted);
  write(*ends.second, "x");
  BOOST_TEST(ends.first->read(&byte, 1) == 1);
}

BOOST_AUTO_TEST_CASE(a_write_never_waits_however_much_it_is) {
  const auto [left, right] = memory_transports();
  const std::string much(std::size_t{8} << 20, 'm');
  BOOST_TEST(left->write(much.data(), much.size(), Transport::Blocking::no) == std::ptrdiff_t{8} << 20);
  std::size_t count = 0;
  while (count < much.size()) count += read_some(*right, 1 << 20).size();
  BOOST_TEST(count == much.size());
}
