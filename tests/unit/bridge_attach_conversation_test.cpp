// What an attachment keeps in mind of a conversation, and what it makes of the death of a daemon.
#define BOOST_TEST_MODULE bridge_attach_conversation_test
#include <boost/test/unit_test.hpp>

#include <string>
#include <string_view>

#include "attach/conversation.hpp"
#include "attach/json_text.hpp"
#include "attach/same_id.hpp"

using namespace toolwire::attach;

namespace {

/// A conversation of which everything said has been written.
struct Fixture {
  Conversation conversation;

  std::string host(std::string_view line) {
    Lines out;
    conversation.from_host(line, out);
    BOOST_TEST(out.to_host == "");
    return out.to_daemon;
  }
  std::string daemon(std::string_view line) {
    Lines out;
    conversation.from_daemon(line, out);
    return out.to_host;
  }
  Lines death() {
    Lines out;
    conversation.begin_again(conversation.said(), out);
    return out;
  }
};

bool has(const std::string& text, std::string_view part) { return text.find(part) != std::string::npos; }

constexpr std::string_view list = R"({"jsonrpc":"2.0","id":1,"method":"tools/list"})";
constexpr std::string_view listed =
    R"({"id":1,"result":{"tools":[{"name":"look","annotations":{"title":"}]","readOnlyHint":true}},)"
    R"({"name":"set","annotations":{"readOnlyHint":false,"idempotentHint":true}},)"
    R"({"name":"add","annotations":{"readOnlyHint":false}},{"name":"plain"}]}})";

std::string call(std::string_view tool, std::string_view id = "2") {
  return R"({"method":"tools/call","params":{"arguments":{"id":9,"name":"look"},"name":")" + std::string(tool) +
         R"("},"jsonrpc":"2.0","id":)" + std::string(id) + "}";
}

}  // namespace

BOOST_AUTO_TEST_CASE(parts_of_a_text_are_found_whatever_stands_in_strings) {
  const std::string_view text = R"( { "a" : "}\",\\" , "b":[1,{"c":"]"}],"d":-1.5e3 , "e":null} )";
  BOOST_TEST(member(text, "a") == R"("}\",\\")");
  BOOST_TEST(member(text, "b") == R"([1,{"c":"]"}])");
  BOOST_TEST(member(text, "d") == "-1.5e3");
  BOOST_TEST(member(text, "e") == "null");
  BOOST_TEST(member(text, "c") == "");
  for (const std::string_view broken : {"", "{", "[", "{\"", "{\"a\"", "{\"a\":", "{\"a\":\"", "{\"a\":{", "nonsense",
                                        "{\"a\" 1}", "{,}", "}", "{\"a\":1,,\"b\":2}", "\\", "{\"\\"})
    BOOST_TEST(member(broken, "b") == "", broken);
}

BOOST_AUTO_TEST_CASE(ids_are_the_same_however_a_text_is_written) {
  BOOST_TEST(same_id("1", "1"));
  BOOST_TEST(!same_id("1", "\"1\""));
  BOOST_TEST(same_id(R"("a\/\u00e9\ud83d\ude00\n")", "\"a/\xc3\xa9\xf0\x9f\x98\x80\\u000a\""));
  BOOST_TEST(!same_id(R"("a\n")", R"("an")"));
  BOOST_TEST(!same_id(R"("\u12)", R"("\u13)"));
}

BOOST_FIXTURE_TEST_CASE(lines_pass_as_they_are, Fixture) {
  for (const std::string_view line : {"nonsense", "", "{}", "[]", "[1,2]", "{\"id\":", R"({"method":"x"})"}) {
    BOOST_TEST(host(line) == std::string(line) + "\n");
    BOOST_TEST(daemon(line) == std::string(line) + "\n");
  }
  BOOST_TEST(conversation.unanswered() == 0U);
}

BOOST_FIXTURE_TEST_CASE(calls_are_retryable_if_the_tool_is_read_only_or_idempotent, Fixture) {
  host(list);
  daemon(listed);
  for (const char* const safe : {"look", "set"}) {
    host(call(safe));
    const Lines after = death();
    BOOST_TEST(has(after.to_host, R"("dev.toolwire/error":{"code":"interrupted","retryable":true})"), after.to_host);
    BOOST_TEST(after.to_daemon == "");
  }
  for (const char* const unsafe : {"add", "plain", "unknown"}) {
    host(call(unsafe));
    const Lines after = death();
    BOOST_TEST(has(after.to_host, R"({"code":"interrupted","retryable":false,"outcome":"unknown"})"), after.to_host);
    BOOST_TEST(has(after.to_host, R"({"jsonrpc":"2.0","id":2,"result":{"resultType":"complete",)"), after.to_host);
  }
  BOOST_TEST(conversation.unanswered() == 0U);
}

BOOST_FIXTURE_TEST_CASE(what_was_not_written_is_not_answered_and_has_not_begun, Fixture) {
  host(call("add", "1"));
  const std::uint64_t written = conversation.said();
  host(call("add", "2"));
  Lines out;
  conversation.begin_again(written, out);
  BOOST_TEST(has(out.to_host, "\"id\":1,"));
  BOOST_TEST(!has(out.to_host, "\"id\":2,"));
  Lines last;
  conversation.give_up(written, last);
  BOOST_TEST(has(last.to_host, R"("id":2,"result")"), last.to_host);
  BOOST_TEST(has(last.to_host, R"({"code":"unavailable","retryable":true})"), last.to_host);
}

BOOST_FIXTURE_TEST_CASE(what_changes_nothing_is_asked_again_once, Fixture) {
  host(list);
  BOOST_TEST(death().to_daemon == std::string(list) + "\n");
  const Lines second = death();
  BOOST_TEST(second.to_daemon == "");
  BOOST_TEST(has(second.to_host, R"("error":{"code":-32603,)"), second.to_host);
  BOOST_TEST(has(second.to_host, R"("retryable":true)"), second.to_host);
}

BOOST_FIXTURE_TEST_CASE(what_was_answered_or_given_up_is_forgotten, Fixture) {
  host(call("add", R"("a\/b")"));
  daemon(R"({"jsonrpc":"2.0","id":"a/b","error":{}})");
  host(call("add", "5"));
  host(R"({"method":"notifications/cancelled","params":{"requestId":5}})");
  host("[" + call("add", "6") + "," + call("add", "7") + "]");
  BOOST_TEST(conversation.unanswered() == 2U);
  daemon(R"([{"id":6,"result":{}},{"id":7,"result":{}}])");
  BOOST_TEST(conversation.unanswered() == 0U);
  BOOST_TEST(death().to_host == "");
}

BOOST_FIXTURE_TEST_CASE(a_handshake_that_was_not_answered_is_told_again_as_it_was, Fixture) {
  const std::string initialize = R"({"id":0,"method":"initialize","params":{}})";
  host(initialize);
  const Lines after = death();
  BOOST_TEST(after.to_daemon == initialize + "\n");
  BOOST_TEST(!conversation.is_beginning_again());
  BOOST_TEST(daemon(R"({"id":0,"result":{}})") == "{\"id\":0,\"result\":{}}\n");
}

BOOST_FIXTURE_TEST_CASE(subscriptions_are_made_again_unless_they_were_ended, Fixture) {
  host(R"({"id":0,"method":"initialize","params":{}})");
  daemon(R"({"id":0,"result":{}})");
  host(R"({"method":"notifications/initialized"})");
  for (const char* const uri : {"a", "b"}) {
    host(R"({"id":1,"method":"resources/subscribe","params":{"uri":")" + std::string(uri) + "\"}}");
    daemon(R"({"id":1,"result":{}})");
  }
  host(R"({"id":2,"method":"resources/unsubscribe","params":{"uri":"a"}})");
  daemon(R"({"id":2,"result":{}})");
  const Lines after = death();
  BOOST_TEST(after.to_daemon == "{\"id\":\"attach-1\",\"method\":\"initialize\",\"params\":{}}\n");
  BOOST_TEST(conversation.is_beginning_again());
  Lines out;
  conversation.from_daemon(R"({"id":"attach-1","result":{}})", out);
  BOOST_TEST(out.to_host == "");
  BOOST_TEST(out.to_daemon ==
             "{\"method\":\"notifications/initialized\"}\n"
             "{\"id\":\"attach-2\",\"method\":\"resources/subscribe\",\"params\":{\"uri\":\"b\"}}\n");
  BOOST_TEST(daemon(R"({"id":"attach-2","result":{}})") == "");
  BOOST_TEST(!conversation.is_beginning_again());
}

BOOST_FIXTURE_TEST_CASE(a_host_is_told_that_lists_may_have_changed_if_the_server_tells_changes, Fixture) {
  host(R"({"id":0,"method":"initialize","params":{}})");
  daemon(R"({"id":0,"result":{"capabilities":{"tools":{"listChanged":true},"resources":{"listChanged":false},)"
         R"("prompts":{"listChanged":true},"logging":{}}}})");
  const auto told_after_death = [&](const std::string& id) {
    death();
    return daemon(R"({"id":")" + id + R"(","result":{}})");
  };
  BOOST_TEST(told_after_death("attach-1") == "");  // nobody may speak to it before it is initialized
  host(R"({"method":"notifications/initialized"})");
  BOOST_TEST(told_after_death("attach-2") ==
             "{\"jsonrpc\":\"2.0\",\"method\":\"notifications/tools/list_changed\"}\n"
             "{\"jsonrpc\":\"2.0\",\"method\":\"notifications/prompts/list_changed\"}\n");
}
