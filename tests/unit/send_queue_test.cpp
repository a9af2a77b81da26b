#include "engine/send_queue.hpp"

#define BOOST_TEST_MODULE send_queue_test
#include <boost/test/unit_test.hpp>

#include <algorithm>
#include <atomic>
#include <string>
#include <thread>
#include <vector>

#include "script_transport.hpp"

using namespace toolwire::engine;
using toolwire::Limits;
using toolwire::Transport;
using toolwire_test::lines_written_to;
using toolwire_test::ScriptTransport;

namespace {

Limits bounds(std::size_t soft, std::size_t hard) {
  Limits limits;
  limits.line = 1;
  limits.output_soft = soft;
  limits.output_hard = hard;
  return limits;
}

}  // namespace

BOOST_AUTO_TEST_CASE(lines_leave_whole_and_in_order) {
  ScriptTransport transport;
  SendQueue output(transport, {}, [] {});
  const std::string large(1 << 20, 'x');
  output.append(std::string("first"));
  output.append(std::string_view("second"));
  output.append(std::string(large));
  output.append(std::string("last"));
  BOOST_TEST(output.pending() == 5 + 1 + 6 + 1 + large.size() + 1 + 4 + 1);
  output.flush(Transport::Blocking::yes);
  BOOST_TEST(output.empty());
  BOOST_TEST(lines_written_to(transport) == (std::vector<std::string>{"first", "second", large, "last"}),
             boost::test_tools::per_element());
}

BOOST_AUTO_TEST_CASE(a_large_line_that_is_alone_leaves_whole) {
  ScriptTransport transport;
  SendQueue output(transport, {}, [] {});
  const std::string large(1 << 20, 'x');
  output.append(std::string(large));
  output.flush(Transport::Blocking::no);
  BOOST_TEST(lines_written_to(transport) == std::vector<std::string>{large}, boost::test_tools::per_element());
}

BOOST_AUTO_TEST_CASE(what_is_not_accepted_stays_and_is_told) {
  ScriptTransport transport;
  int stalled = 0;
  SendQueue output(transport, {}, [&] { ++stalled; });
  transport.stop_listening();
  output.append(std::string("a"));
  output.flush(Transport::Blocking::no);
  BOOST_TEST(stalled == 1);
  BOOST_TEST(output.pending() == 2u);
  transport.listen_again();
  output.append(std::string("b"));
  output.flush(Transport::Blocking::no);
  BOOST_TEST(stalled == 1);
  BOOST_TEST(lines_written_to(transport) == (std::vector<std::string>{"a", "b"}), boost::test_tools::per_element());
}

BOOST_AUTO_TEST_CASE(a_flush_that_may_not_wait_tells_once_that_the_peer_is_gone) {
  ScriptTransport transport;
  int told = 0;
  SendQueue output(transport, {}, [&] { ++told; });
  transport.leave();
  for (int i = 0; i < 2; ++i) {
    output.append(std::string("lost"));
    output.flush(Transport::Blocking::no);
  }
  BOOST_TEST(told == 1);
  BOOST_TEST(output.peer_gone());
}

BOOST_AUTO_TEST_CASE(a_flush_that_waits_gives_way_to_one_that_is_at_work) {
  ScriptTransport transport;
  SendQueue output(transport, {}, [] {});
  transport.stop_listening();
  output.append(std::string("a"));
  std::thread writer([&] { output.flush(Transport::Blocking::yes); });
  output.append(std::string("b"));
  transport.listen_again();
  writer.join();
  output.flush(Transport::Blocking::yes);
  BOOST_TEST(lines_written_to(transport) == (std::vector<std::string>{"a", "b"}), boost::test_tools::per_element());
}

BOOST_AUTO_TEST_CASE(lines_of_many_threads_are_not_mixed) {
  ScriptTransport transport;
  SendQueue output(transport, {}, [] {});
  std::vector<std::thread> threads;
  for (char letter : {'a', 'b', 'c', 'd'}) {
    threads.emplace_back([&output, letter] {
      for (int i = 0; i < 500; ++i) {
        output.append(std::string(100, letter));
        output.flush(Transport::Blocking::yes);
      }
    });
  }
  for (std::thread& thread : threads) thread.join();
  output.flush(Transport::Blocking::yes);
  const auto lines = lines_written_to(transport);
  BOOST_TEST(lines.size() == 2000u);
  for (const std::string& line : lines) BOOST_REQUIRE(line == std::string(100, line.front()));
}

BOOST_AUTO_TEST_CASE(a_peer_that_has_gone_takes_nothing_and_holds_nobody_up) {
  ScriptTransport transport;
  SendQueue output(transport, bounds(10, 20), [] {});
  transport.leave();
  output.append(std::string(100, 'x'));
  output.flush(Transport::Blocking::yes);
  BOOST_TEST(output.peer_gone());
  BOOST_TEST(output.empty());
  output.append(std::string(100, 'x'));
  BOOST_TEST(output.empty());
  output.wait_below_soft({});
}

BOOST_AUTO_TEST_CASE(the_bounds_are_told) {
  ScriptTransport transport;
  SendQueue output(transport, bounds(10, 20), [] {});
  output.append(std::string(9, 'x'));
  BOOST_TEST(!output.above_soft());
  output.append(std::string("x"));
  BOOST_TEST(output.above_soft());
  BOOST_TEST(!output.above_hard());
  output.append(std::string(10, 'x'));
  BOOST_TEST(output.above_hard());
  output.flush(Transport::Blocking::yes);
  BOOST_TEST(!output.above_soft());
}

BOOST_AUTO_TEST_CASE(a_tool_that_writes_too_fast_goes_on_when_the_client_has_read_or_the_call_is_to_stop) {
  ScriptTransport transport;
  SendQueue output(transport, bounds(10, 20), [] {});
  output.append(std::string(50, 'x'));
  std::stop_source stop;
  std::thread stopped([&] { output.wait_below_soft(stop.get_token()); });
  std::thread waiting([&] { output.wait_below_soft({}); });
  stop.request_stop();
  stopped.join();
  output.flush(Transport::Blocking::yes);
  waiting.join();
  BOOST_TEST(output.empty());
}

BOOST_AUTO_TEST_CASE(after_the_end_nothing_is_written) {
  ScriptTransport transport;
  SendQueue output(transport, {}, [] {});
  output.append(std::string("lost"));
  output.close();
  output.append(std::string("lost as well"));
  output.flush(Transport::Blocking::yes);
  BOOST_TEST(lines_written_to(transport).empty());
}
