#include "runtime/coalesced_notifications.hpp"

#define BOOST_TEST_MODULE coalesced_notifications_test
#include <boost/test/unit_test.hpp>

#include <map>
#include <string>
#include <thread>
#include <vector>

#include "runtime/in_flight.hpp"
#include "script_transport.hpp"

using namespace toolwire::runtime;
using toolwire::Limits;
using toolwire::Transport;

namespace {

Limits small_limits() {
  Limits limits;
  limits.line = 1;
  limits.output_soft = 100;
  return limits;
}

struct Fixture {
  void fill() {
    transport.stop_listening();
    output.append(std::string(120, 'x'));
  }
  /// What the peer gets once it reads, without the line of `fill`.
  std::vector<std::string> read() {
    transport.listen_again();
    output.flush(Transport::Blocking::yes);
    transport.server_has_left();
    std::vector<std::string> lines;
    while (auto line = transport.next()) {
      if (line->front() != 'x') lines.push_back(*line);
    }
    return lines;
  }

  toolwire_test::ScriptTransport transport;
  toolwire::engine::SendQueue output{transport, small_limits(), [] {}, [this] { newest.release(); }};
  CoalescedNotifications newest{output};
  InFlight table{output, 100};
};

using Lines = std::vector<std::string>;

}  // namespace

BOOST_FIXTURE_TEST_CASE(a_peer_that_reads_gets_every_line, Fixture) {
  newest.append("a", "first");
  newest.append("a", "second");
  BOOST_TEST(read() == (Lines{"first", "second"}), boost::test_tools::per_element());
}

BOOST_FIXTURE_TEST_CASE(a_peer_that_does_not_read_gets_the_newest_of_each_kind_later, Fixture) {
  fill();
  const auto before = output.pending();
  for (int i = 0; i <= 100'000; ++i) {
    newest.append("a", "a " + std::to_string(i));
    newest.append("b", "b " + std::to_string(i));
  }
  output.flush(Transport::Blocking::no);
  BOOST_TEST(output.pending() == before);
  BOOST_TEST(read() == (Lines{"a 100000", "b 100000"}), boost::test_tools::per_element());
}

BOOST_FIXTURE_TEST_CASE(what_was_kept_leaves_in_pieces_of_the_soft_bound, Fixture) {
  fill();
  Lines all;
  for (int i = 10; i < 60; ++i) all.push_back("line " + std::to_string(i));
  for (const auto& line : all) newest.append(line, line);
  BOOST_TEST(read() == all, boost::test_tools::per_element());
}

BOOST_FIXTURE_TEST_CASE(lines_of_a_call_that_is_over_are_dropped, Fixture) {
  auto over = table.begin({"1", "n1"}, nullptr).call;
  auto open = table.begin({"2", "n2"}, nullptr).call;
  fill();
  newest.append("1", "one", over);
  newest.append("2", "two", open);
  over->cancel();
  newest.forget_closed();
  BOOST_TEST(read() == Lines{"two"}, boost::test_tools::per_element());
  open->cancel();
}

BOOST_FIXTURE_TEST_CASE(at_the_end_all_that_was_kept_is_appended, Fixture) {
  fill();
  newest.append("a", "a");
  newest.append("b", "b");
  newest.release_all();
  BOOST_TEST(output.pending() == 121u + 4u);
  BOOST_TEST(read() == (Lines{"a", "b"}), boost::test_tools::per_element());
}

BOOST_FIXTURE_TEST_CASE(the_last_of_each_kind_arrives_whoever_writes_meanwhile, Fixture) {
  constexpr int last = 5'000;
  fill();
  std::vector<std::thread> threads;
  for (const char kind : {'a', 'b', 'c'}) {
    threads.emplace_back([this, kind] {
      for (int i = 1; i <= last; ++i) {
        newest.append(std::string(1, kind), kind + std::to_string(i));
        if (i % 7 == 0) output.flush(Transport::Blocking::no);
      }
    });
  }
  for (int i = 0; i < 1'000; ++i) {
    transport.listen_again();
    output.flush(Transport::Blocking::no);
    transport.stop_listening();
    output.flush(Transport::Blocking::no);
  }
  for (auto& thread : threads) thread.join();
  std::map<char, int> seen;
  for (const auto& line : read()) {
    const int number = std::stoi(line.substr(1));
    BOOST_TEST(number > seen[line.front()]);
    seen[line.front()] = number;
  }
  BOOST_TEST((seen == std::map<char, int>{{'a', last}, {'b', last}, {'c', last}}));
}
