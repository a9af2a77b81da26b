#include "runtime/in_flight.hpp"

#define BOOST_TEST_MODULE in_flight_test
#include <boost/test/unit_test.hpp>

#include <string>

#include "engine/send_queue.hpp"
#include "script_transport.hpp"

using namespace toolwire::runtime;

namespace {

struct Fixture {
  InFlight::Begun begin(const std::string& key) { return table.begin({"1", key}, nullptr); }
  static void finish(const InFlight::Begun& begun) {
    begun.call->answer([](std::string& out) { out.append("1"); });
  }

  toolwire_test::ScriptTransport transport;
  toolwire::engine::SendQueue output{transport, {}, [] {}};
  InFlight table{output, 2};
};

}  // namespace

BOOST_FIXTURE_TEST_CASE(an_id_in_use_is_refused_and_the_first_call_goes_on, Fixture) {
  auto first = begin("n1");
  auto second = begin("n1");
  BOOST_TEST((first.refusal == InFlight::Refusal::none));
  BOOST_TEST((second.refusal == InFlight::Refusal::id_in_use));
  second.call->fail(-1, "in use");
  BOOST_TEST(table.unsettled() == 1u);
  BOOST_TEST(table.cancel("n1"));
  BOOST_TEST(first.call->is_over());
}

BOOST_FIXTURE_TEST_CASE(an_id_is_free_again_once_its_call_is_over, Fixture) {
  auto first = begin("n1");
  finish(first);
  auto second = begin("n1");
  BOOST_TEST((second.refusal == InFlight::Refusal::none));
  first.call.reset();
  BOOST_TEST(table.cancel("n1"));
  BOOST_TEST(second.call->is_over());
}

BOOST_FIXTURE_TEST_CASE(a_full_table_refuses, Fixture) {
  auto first = begin("n1");
  auto second = begin("n2");
  auto third = begin("n3");
  BOOST_TEST((third.refusal == InFlight::Refusal::full));
  third.call->fail(-1, "full");
  BOOST_TEST(!table.cancel("n3"));
  finish(first);
  auto fourth = begin("n3");
  BOOST_TEST((fourth.refusal == InFlight::Refusal::none));
  finish(second);
  finish(fourth);
  BOOST_TEST(table.unsettled() == 0u);
}

BOOST_FIXTURE_TEST_CASE(what_is_to_stay_open_holds_no_place_and_can_be_cancelled, Fixture) {
  auto open = begin("n1");
  table.settle(*open.call);
  table.settle(*open.call);
  BOOST_TEST(table.unsettled() == 0u);
  BOOST_TEST((begin("n1").refusal == InFlight::Refusal::id_in_use));
  BOOST_TEST(table.cancel("n1"));
  BOOST_TEST(open.call->is_over());
}

BOOST_FIXTURE_TEST_CASE(cancelling_what_is_unknown_or_over_does_nothing, Fixture) {
  BOOST_TEST(!table.cancel("n1"));
  auto call = begin("n1");
  finish(call);
  BOOST_TEST(!table.cancel("n1"));
}

BOOST_FIXTURE_TEST_CASE(all_are_cancelled_at_the_end, Fixture) {
  auto first = begin("n1");
  auto second = begin("s1");
  table.cancel_all();
  BOOST_TEST(first.call->stop_token().stop_requested());
  BOOST_TEST(second.call->is_over());
  BOOST_TEST(table.unsettled() == 0u);
  BOOST_TEST(output.empty());
}
