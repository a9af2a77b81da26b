#include "protocol/subscriptions/subscriptions.hpp"

#define BOOST_TEST_MODULE subscriptions_test
#include <boost/test/unit_test.hpp>

#include <string>
#include <vector>

#include "runtime/in_flight.hpp"
#include "script_transport.hpp"
#include "toolwire/error.hpp"

using namespace toolwire;
using protocol::Change;
using protocol::Filter;
using protocol::Subscriptions;
using protocol::Topic;

namespace {

struct Fixture {
  std::shared_ptr<runtime::Call> begin(const std::string& id) { return table.begin({id, "n" + id}, nullptr).call; }
  std::vector<Json> messages() {
    output.flush(Transport::Blocking::yes);
    transport.server_has_left();
    std::vector<Json> all;
    while (auto line = transport.next()) all.push_back(parse_json(*line));
    return all;
  }

  toolwire_test::ScriptTransport transport;
  engine::SendQueue output{transport, {}, [] {}};
  runtime::InFlight table{output, 100};
  runtime::CoalescedNotifications newest{output};
  Subscriptions subscriptions{output, newest, 2, 3};
  const Filter tools = Filter().add(Topic::tools_list);
  const Change tools_changed{Topic::tools_list};
};

std::string id_of(const Json& message) {
  return to_json_text(message.at("params").at("_meta").at("io.modelcontextprotocol/subscriptionId"));
}

}  // namespace

BOOST_FIXTURE_TEST_CASE(the_acknowledgement_comes_first_and_changes_carry_the_id, Fixture) {
  auto call = begin("7");
  subscriptions.open(call, tools);
  subscriptions.tell(tools_changed);
  const auto all = messages();
  BOOST_REQUIRE(all.size() == 2u);
  BOOST_TEST(all[0].at("method") == "notifications/subscriptions/acknowledged");
  BOOST_TEST(to_json_text(all[0].at("params").at("notifications")) == R"({"toolsListChanged":true})");
  BOOST_TEST(all[1].at("method") == "notifications/tools/list_changed");
  BOOST_TEST(id_of(all[1]) == "7");
  call->cancel();
}

BOOST_FIXTURE_TEST_CASE(who_did_not_ask_for_changes_is_not_told, Fixture) {
  auto call = begin("7");
  subscriptions.open(call, Filter());
  subscriptions.tell(tools_changed);
  const auto all = messages();
  BOOST_REQUIRE(all.size() == 1u);
  BOOST_TEST(to_json_text(all[0].at("params").at("notifications")) == "{}");
  call->cancel();
}

BOOST_FIXTURE_TEST_CASE(a_cancelled_subscription_is_told_nothing_and_frees_its_place, Fixture) {
  auto first = begin("1");
  auto second = begin("2");
  auto third = begin("3");
  subscriptions.open(first, tools);
  subscriptions.open(second, tools);
  BOOST_CHECK_EXCEPTION(subscriptions.open(third, tools), ProtocolError,
                        [](const ProtocolError& error) { return error.code == -32603; });
  first->cancel();
  subscriptions.open(third, tools);
  subscriptions.tell(tools_changed);
  const auto all = messages();
  BOOST_REQUIRE(all.size() == 5u);
  BOOST_TEST(id_of(all[3]) == "2");
  BOOST_TEST(id_of(all[4]) == "3");
  second->cancel();
  third->cancel();
}

BOOST_FIXTURE_TEST_CASE(a_call_that_was_cancelled_before_is_not_acknowledged, Fixture) {
  auto call = begin("1");
  call->cancel();
  subscriptions.open(call, tools);
  subscriptions.tell(tools_changed);
  BOOST_TEST(messages().empty());
}

BOOST_FIXTURE_TEST_CASE(those_that_are_taken_are_told_nothing_more, Fixture) {
  auto call = begin("1");
  subscriptions.open(call, tools);
  BOOST_TEST(subscriptions.take_all().size() == 1u);
  BOOST_TEST(subscriptions.take_all().empty());
  subscriptions.tell(tools_changed);
  BOOST_TEST(messages().size() == 1u);
  call->cancel();
}

BOOST_FIXTURE_TEST_CASE(a_client_that_does_not_read_is_told_of_each_change_once_when_it_does, Fixture) {
  toolwire_test::ScriptTransport slow;
  Limits limits;
  limits.line = 1;
  limits.output_soft = 1'000;
  engine::SendQueue behind{slow, limits, [] {}};
  runtime::CoalescedNotifications kept{behind};
  Subscriptions all{behind, kept, 2, 3};
  auto call = begin("7");
  all.open(call, Filter().add(Topic::tools_list).add(Topic::resource_updated, "a").add(Topic::resource_updated, "b"));
  behind.append(std::string(1'000, 'x'));
  const auto before = behind.pending();
  for (int i = 0; i < 1'000; ++i) {
    all.tell(tools_changed);
    for (const char* const uri : {"a", "b", "c"}) all.tell({Topic::resource_updated, uri, "\"uri\":\"?\""});
  }
  BOOST_TEST(behind.pending() == before);
  BOOST_TEST(all.take_all().size() == 1u);  // the end: everything that was kept comes before it
  behind.flush(Transport::Blocking::yes);
  slow.server_has_left();
  int lines = 0;
  while (slow.next()) ++lines;
  BOOST_TEST(lines == 1 + 1 + 3);  // acknowledged, what was ahead, one of each
  call->cancel();
}
