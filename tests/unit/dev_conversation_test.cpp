#include "dev/conversation.hpp"

#include "dev/traffic.hpp"

#define BOOST_TEST_MODULE dev_conversation_test
#include <boost/test/unit_test.hpp>
#include <string>
#include <vector>

using namespace toolwire;
using namespace toolwire::dev;

namespace toolwire::dev {
// For Boost.Test.
std::ostream& operator<<(std::ostream& stream, const Sent& sent) {
  return stream << (sent.to == Sent::to_host ? "host" : std::to_string(sent.to)) << ": " << sent.line;
}
}  // namespace toolwire::dev

namespace {

using Lines = std::vector<Sent>;
using Texts = std::vector<std::string>;
constexpr Version host = Sent::to_host;

const std::string initialize =
    R"({"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"2025-11-25"}})";
const std::string initialized = R"({"jsonrpc":"2.0","method":"notifications/initialized"})";
const std::string greeted_result =
    R"({"jsonrpc":"2.0","id":"toolwire-dev/greeting","result":{"capabilities":{"tools":{}}}})";
const std::string tools_changed = R"({"jsonrpc":"2.0","method":"notifications/tools/list_changed"})";

std::string answer(const std::string& id) { return R"({"jsonrpc":"2.0","id":)" + id + R"(,"result":{}})"; }
std::string call(const std::string& id) {
  return R"({"jsonrpc":"2.0","id":)" + id + R"(,"method":"tools/call","params":{"name":"x"}})";
}

void check(const Lines& found, const Lines& expected) {
  BOOST_TEST(found == expected, boost::test_tools::per_element());
}

/// A host that has begun with a handshake.
struct Begun : Conversation {
  Begun() {
    check(from_host(initialize), {{1, initialize}});
    check(from_server(1, R"({"jsonrpc":"2.0","id":1,"result":{"capabilities":{"tools":{},"resources":{}}}})"),
          {{host, R"({"jsonrpc":"2.0","id":1,"result":{"capabilities":{"tools":{"listChanged":true},)"
                  R"("resources":{"listChanged":true}}}})"}});
    check(from_host(initialized), {{1, initialized}});
  }
};

void take_over(Conversation& conversation, Version version) {
  static_cast<void>(conversation.greet(version));
  static_cast<void>(conversation.from_server(version, greeted_result));
  BOOST_TEST_REQUIRE(conversation.current() == version);
}

}  // namespace

BOOST_AUTO_TEST_CASE(a_new_version_hears_what_was_negotiated_and_takes_over_with_its_answer) {
  Begun conversation;
  const std::string level = R"({"jsonrpc":"2.0","id":2,"method":"logging/setLevel","params":{"level":"debug"}})";
  const std::string watch = R"({"jsonrpc":"2.0","id":3,"method":"resources/subscribe","params":{"uri":"file:///a"}})";
  const std::string other = R"({"jsonrpc":"2.0","id":4,"method":"resources/subscribe","params":{"uri":"file:///b"}})";
  const std::string forget =
      R"({"jsonrpc":"2.0","id":5,"method":"resources/unsubscribe","params":{"uri":"file:///b"}})";
  for (const std::string& line : {level, watch, other, forget}) check(conversation.from_host(line), {{1, line}});
  check(conversation.greet(2), {{2, R"({"jsonrpc":"2.0","id":"toolwire-dev/greeting","method":"initialize",)"
                                    R"("params":{"protocolVersion":"2025-11-25"}})"}});
  BOOST_TEST(conversation.current() == 1);
  check(conversation.from_host(call("6")), {{1, call("6")}});
  check(conversation.from_server(2, R"({"jsonrpc":"2.0","method":"notifications/message","params":{}})"), {});
  check(conversation.from_server(2, greeted_result),
        {{2, initialized},
         {2, R"({"jsonrpc":"2.0","id":"toolwire-dev/1","method":"logging/setLevel","params":{"level":"debug"}})"},
         {2, R"({"jsonrpc":"2.0","id":"toolwire-dev/2","method":"resources/subscribe","params":{"uri":"file:///a"}})"},
         {host, tools_changed},
         {host, R"({"jsonrpc":"2.0","method":"notifications/resources/list_changed"})"}});
  BOOST_TEST(conversation.current() == 2);
  check(conversation.from_server(2, answer("\"toolwire-dev/1\"")), {});
  check(conversation.from_host(call("7")), {{2, call("7")}});
}

BOOST_AUTO_TEST_CASE(calls_end_on_the_version_they_were_made_to) {
  Begun conversation;
  static_cast<void>(conversation.from_host(call("6")));
  take_over(conversation, 2);
  BOOST_TEST(!conversation.is_done(1));
  BOOST_TEST(conversation.owed_by(1) == 1U);
  const std::string progress = R"({"jsonrpc":"2.0","method":"notifications/progress","params":{"progressToken":1}})";
  check(conversation.from_server(1, progress), {{host, progress}});
  check(conversation.from_server(1, tools_changed), {});  // of lists that are not there any more
  const std::string cancelled = R"({"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":6}})";
  static_cast<void>(conversation.from_host(call("8")));
  check(conversation.from_server(2, answer("6")), {});  // which it was never asked
  check(conversation.from_server(1, answer("6")), {{host, answer("6")}});
  BOOST_TEST(conversation.is_done(1));
  BOOST_TEST(!conversation.is_done(2));
  check(conversation.from_server(1, answer("6")), {});
}

BOOST_AUTO_TEST_CASE(a_cancelled_call_is_cancelled_where_it_runs_and_owed_no_more) {
  Begun conversation;
  static_cast<void>(conversation.from_host(call("6")));
  take_over(conversation, 2);
  const std::string cancel = R"({"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":6}})";
  check(conversation.from_host(cancel), {{1, cancel}});
  BOOST_TEST(conversation.is_done(1));
}

BOOST_AUTO_TEST_CASE(questions_of_two_versions_with_one_id_are_told_apart) {
  Begun conversation;
  static_cast<void>(conversation.from_host(call("6")));
  const std::string question = R"({"jsonrpc":"2.0","id":1,"method":"elicitation/create","params":{}})";
  const auto asked = [](const std::string& id) {
    return Lines{{host, R"({"jsonrpc":"2.0","id":")" + id + R"(","method":"elicitation/create","params":{}})"}};
  };
  check(conversation.from_server(1, question), asked("toolwire-dev/1"));
  take_over(conversation, 2);
  check(conversation.from_server(2, question), asked("toolwire-dev/2"));
  check(conversation.from_host(answer("\"toolwire-dev/2\"")), {{2, answer("1")}});
  check(conversation.from_server(1, R"({"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":1}})"),
        {{host, R"({"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":"toolwire-dev/1"}})"}});
}

BOOST_AUTO_TEST_CASE(without_a_handshake_the_next_version_is_discovered_and_listened_to) {
  Conversation conversation;
  const std::string meta = R"("_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28"})";
  const std::string listen = R"({"jsonrpc":"2.0","id":"a","method":"subscriptions/listen","params":{)" + meta +
                             R"(,"notifications":{"toolsListChanged":true,"promptsListChanged":false}}})";
  const std::string acknowledged = R"({"jsonrpc":"2.0","method":"notifications/subscriptions/acknowledged",)"
                                   R"("params":{"_meta":{"io.modelcontextprotocol/subscriptionId":"a"}}})";
  check(conversation.from_host(listen), {{1, listen}});
  check(conversation.from_server(1, acknowledged), {{host, acknowledged}});
  check(conversation.greet(2),
        {{2, R"({"jsonrpc":"2.0","id":"toolwire-dev/greeting","method":"server/discover","params":{)" + meta + "}}"}});
  check(conversation.from_server(2, greeted_result),
        {{2, listen},
         {host, R"({"jsonrpc":"2.0","method":"notifications/tools/list_changed",)"
                R"("params":{"_meta":{"io.modelcontextprotocol/subscriptionId":"a"}}})"}});
  check(conversation.from_server(2, acknowledged), {});  // which the host has seen
  BOOST_TEST(conversation.is_done(1));
  check(conversation.from_server(1, answer("\"a\"")), {});  // the old one ends what goes on
  check(conversation.from_server(2, answer("\"a\"")), {{host, answer("\"a\"")}});
}

BOOST_AUTO_TEST_CASE(a_version_that_answers_with_an_error_is_refused) {
  Begun conversation;
  static_cast<void>(conversation.greet(2));
  const std::string error = R"({"jsonrpc":"2.0","id":"toolwire-dev/greeting","error":{"code":-32602,"message":"no"}})";
  check(conversation.from_server(2, error), {});
  BOOST_TEST(conversation.refusal().value_or("") == R"(it answers with an error: {"code":-32602,"message":"no"})");
  BOOST_TEST(!conversation.refusal());
  check(conversation.give_up("why"), {});
  BOOST_TEST(conversation.current() == 1);
  BOOST_TEST(conversation.is_done(2));
  check(conversation.from_host(call("6")), {{1, call("6")}});
}

BOOST_AUTO_TEST_CASE(what_an_ended_version_owes_is_answered_with_an_error) {
  Begun conversation;
  static_cast<void>(conversation.from_host(call("6")));
  static_cast<void>(conversation.from_server(1, R"({"jsonrpc":"2.0","id":9,"method":"ping"})"));
  check(conversation.ended(1, "it was killed"),
        {{host, R"({"jsonrpc":"2.0","id":6,"error":{"code":-32603,"message":"it was killed"}})"},
         {host, R"({"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":"toolwire-dev/1"}})"}});
  BOOST_TEST(conversation.current() == 0);
  static_cast<void>(conversation.greet(2));
  check(conversation.from_host(call("7")), {});
  check(conversation.from_server(2, greeted_result),
        {{2, initialized},
         {host, tools_changed},
         {host, R"({"jsonrpc":"2.0","method":"notifications/resources/list_changed"})"},
         {2, call("7")}});
  check(conversation.from_server(2, answer("7")), {{host, answer("7")}});
}

BOOST_AUTO_TEST_CASE(without_any_version_requests_fail_at_once_and_go_on_with_the_next) {
  Begun conversation;
  static_cast<void>(conversation.ended(1, "it was killed"));
  check(conversation.from_host(call("6")), {});
  check(conversation.give_up("none"), {{host, R"({"jsonrpc":"2.0","id":6,"error":{"code":-32603,"message":"none"}})"}});
  check(conversation.from_host(call("7")),
        {{host, R"({"jsonrpc":"2.0","id":7,"error":{"code":-32603,"message":"none"}})"}});
  static_cast<void>(conversation.greet(2));
  check(conversation.from_host(call("8")), {});  // which waits for it
  const Lines sent = conversation.from_server(2, greeted_result);
  BOOST_TEST(sent.back() == (Sent{2, call("8")}));
}

BOOST_AUTO_TEST_CASE(a_host_that_still_waits_for_the_first_answer_gets_that_of_the_new_version) {
  Conversation conversation;
  check(conversation.from_host(initialize), {{1, initialize}});
  static_cast<void>(conversation.greet(2));
  check(conversation.from_server(2, greeted_result),
        {{host, R"({"jsonrpc":"2.0","id":1,"result":{"capabilities":{"tools":{"listChanged":true}}}})"}});
  check(conversation.from_host(initialized), {{2, initialized}});
  check(conversation.from_server(1, answer("1")), {});
}

BOOST_AUTO_TEST_CASE(before_the_host_has_spoken_a_new_version_is_there_at_once) {
  Conversation conversation;
  check(conversation.greet(2), {});
  BOOST_TEST(conversation.current() == 2);
  check(conversation.from_host(initialize), {{2, initialize}});
}

BOOST_AUTO_TEST_CASE(batches_pass_as_they_are) {
  Begun conversation;
  const std::string batch = "[" + call("6") + "," + call("7") + "]",
                    answers = "[" + answer("6") + "," + answer("7") + "]";
  check(conversation.from_host(batch), {{1, batch}});
  BOOST_TEST(conversation.owed_by(1) == 2U);
  check(conversation.from_server(1, answers), {{host, answers}});
  BOOST_TEST(conversation.owed_by(1) == 0U);
}

BOOST_AUTO_TEST_CASE(batches_without_any_version_fail_or_wait_as_each_request_would) {
  Begun conversation;
  static_cast<void>(conversation.ended(1, "it was killed"));
  const std::string batch = "[" + call("6") + ",5," + initialized + "," + call("\"7\"") + "]";
  const auto error = [](const std::string& id) {
    return R"({"jsonrpc":"2.0","id":)" + id + R"(,"error":{"code":-32603,"message":"none"}})";
  };
  check(conversation.from_host(batch), {});  // a version may be started at once
  check(conversation.give_up("none"), {{host, error("\"7\"")}, {host, error("6")}});
  check(conversation.from_host(batch), {{host, "[" + error("6") + "," + error("\"7\"") + "]"}});
  for (const std::string& nothing : Texts{"[]", "[5]", "[" + initialized + "]", "[" + answer("1") + "]"})
    check(conversation.from_host(nothing), {});
  static_cast<void>(conversation.greet(2));
  check(conversation.from_host(batch), {});
  const Lines sent = conversation.from_server(2, greeted_result);
  BOOST_TEST(sent.back() == (Sent{2, batch}));
  BOOST_TEST(conversation.owed_by(2) == 2U);
}

BOOST_AUTO_TEST_CASE(what_is_no_message_reaches_the_server_and_never_the_host) {
  Begun conversation;
  check(conversation.from_host("{not"), {{1, "{not"}});
  check(conversation.from_server(1, "printed by mistake"), {});
  check(conversation.from_server(1, "5"), {});
  static_cast<void>(conversation.ended(1, "it was killed"));
  for (const char* const line : {"{not", "5"}) check(conversation.from_host(line), {});
  static_cast<void>(conversation.give_up("none"));
  for (const char* const line : {"{not", "5"}) check(conversation.from_host(line), {});
}

BOOST_AUTO_TEST_CASE(secrets_are_not_shown) {
  const std::string shown =
      readable(R"j({"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"arguments":{"api_key":"hush","a":1}}})j");
  BOOST_TEST(shown == R"j(#1 tools/call {"arguments":{"api_key":"(redacted)","a":1}})j");
  BOOST_TEST(readable(R"j(Authorization "Bearer hush" {"token":"hush")j").find("hush") == std::string::npos);
}
