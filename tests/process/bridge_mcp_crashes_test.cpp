#include "activities/mcp/back_end.hpp"

#define BOOST_TEST_MODULE bridge_mcp_crashes_test
#include <boost/test/unit_test.hpp>
#include <chrono>
#include <csignal>
#include <filesystem>
#include <string>
#include <vector>

#include "activities/mcp/offered_tool.hpp"
#include "mcp_bridge.hpp"
#include "scratch_folder.hpp"

using namespace std::chrono_literals;
using namespace toolwire_test;
using toolwire::CallResult;
using toolwire::Json;

namespace {

bool has(const std::string& text, std::string_view words) {
  BOOST_TEST_MESSAGE(text);
  return text.find(words) != std::string::npos;
}

toolwire::BackOffOptions impatient() { return {.first = 1ms, .longest = 2ms, .stable = 1h}; }

bool is_alive(pid_t process) { return ::kill(process, 0) == 0; }

}  // namespace

BOOST_AUTO_TEST_CASE(a_back_end_killed_in_a_call_is_an_error_with_cause_and_last_words_and_the_next_call_works) {
  McpBridge bridge({back_end_program("one")});
  auto held = bridge.host->start_call("hold");
  bridge.host->call("held", {{"count", 1}});
  const CallResult died = bridge.host->call("die", {{"text", "no more memory"}});
  BOOST_TEST(died.is_error);
  BOOST_TEST(code_of(died) == "unavailable");
  BOOST_TEST(has(died.text(), "was killed by signal 9"));
  BOOST_TEST(has(died.text(), "no more memory"));
  const CallResult held_result = held.wait();
  BOOST_TEST(code_of(held_result) == "unavailable");
  // It may have been done.
  BOOST_TEST(held_result.raw.at("_meta").at("dev.toolwire/error").at("retryable") == toolwire::Json(false));
  BOOST_TEST(held_result.raw.at("_meta").at("dev.toolwire/error").at("outcome") == "unknown");
  BOOST_TEST(bridge.host->call("echo", {{"text", "again"}}).text() == "again");
}

BOOST_AUTO_TEST_CASE(what_a_call_came_to_whose_answer_cannot_be_read_is_unknown) {
  McpBridge bridge({shell_back_end("one", lists_x() + R"(read -r line
echo '{"jsonrpc":"2.0","id":3,"result":{"content":}}'
read -r line
echo '{"jsonrpc":"2.0","id":4,"result":{},"error":{"code":-1,"message":"no"}}'
read -r line
echo '{"jsonrpc":"2.0","id":5,"result":7}'
read -r line
echo '{"jsonrpc":"2.0","id":6,"result":{"resultType":"odd"}}'
read -r line
echo '{"jsonrpc":"2.0","id":7,"error":{"code":-32603,"message":"no"}}'
read -r line
)")});
  for (const char* const why : {"the server's answer cannot be read: Parse error: ",
                                "the server's answer cannot be read: a result and an error",
                                "sent a result that is no object", "sent a result of an unknown type"}) {
    const CallResult result = bridge.host->call("x");
    BOOST_TEST(result.is_error);
    BOOST_TEST(code_of(result) == "back_end_error");
    BOOST_TEST(has(result.text(), why));
    BOOST_TEST(!has(result.text(), "refused"));
    BOOST_TEST((result.raw.at("_meta").at("dev.toolwire/error").as_object().at("outcome") == "unknown"), result.text());
  }
  const CallResult refused = bridge.host->call("x");
  BOOST_TEST(has(refused.text(), "refused the call: no (-32603)"));
  BOOST_TEST(!refused.raw.at("_meta").at("dev.toolwire/error").as_object().contains("outcome"));
}

BOOST_AUTO_TEST_CASE(answers_that_name_their_request_by_a_text_or_not_at_all_come_at_once) {
  McpBridge bridge({shell_back_end("one", lists_x() + R"(read -r line
echo '{"jsonrpc":"2.0","id":"3","result":{"content":[{"type":"text","text":"by a text"}]}}'
read -r line
echo '{"jsonrpc":"2.0","id":null,"error":{"code":-32700,"message":"what?"}}'
read -r line
)")});
  BOOST_TEST(bridge.host->call("x").text() == "by a text");
  BOOST_TEST(has(bridge.host->call("x").text(), "refused the call: what? (-32700)"));
  // The log is written beside the answers.
  BOOST_TEST(comes_true([&] { return bridge.log.has("the id of a request as a text"); }));
  BOOST_TEST(comes_true([&] { return bridge.log.has("an error without the id of a request"); }));
}

BOOST_AUTO_TEST_CASE(a_hundred_crashes_in_a_row_do_not_take_the_bridge_down) {
  auto options = back_end_program("one");
  options.back_off = impatient();
  McpBridge bridge({options, back_end_program("two")});
  for (int i = 0; i < 100; ++i) BOOST_TEST(code_of(bridge.host->call("die", {{"text", "argh"}})) == "unavailable");
  BOOST_TEST(bridge.host->call("echo", {{"text", "alive"}}).text() == "alive");
  BOOST_TEST(bridge.host->call("two_echo", {{"text", "unmoved"}}).text() == "unmoved");
  BOOST_TEST(bridge.back_end(0).state().failures == 100U);
  BOOST_TEST(bridge.back_end(1).state().starts == 1U);
}

BOOST_AUTO_TEST_CASE(a_server_that_exits_at_once_fails_calls_with_what_it_said) {
  auto options = shell_back_end("one", "");
  options.command = {"sh", "-c", "echo 'no configuration' >&2; exit 3"};
  options.back_off = impatient();
  options.pinned =
      mcp::listing_from(toolwire::parse_json(R"({"tools":[{"name":"x","inputSchema":{"type":"object"}}]})"));
  McpBridge bridge({options});
  const CallResult result = bridge.host->call("x");
  BOOST_TEST(code_of(result) == "unavailable");
  BOOST_TEST(has(result.text(), "exited with status 3"));
  BOOST_TEST(has(result.text(), "no configuration"));
}

BOOST_AUTO_TEST_CASE(calls_are_refused_with_a_time_while_the_next_start_is_far_away) {
  auto options = shell_back_end("one", "");
  options.command = {"sh", "-c", "exit 3"};
  options.back_off = {.first = 1h, .longest = 1h, .stable = 1h};
  options.unasked_restarts = 0;
  options.pinned =
      mcp::listing_from(toolwire::parse_json(R"({"tools":[{"name":"x","inputSchema":{"type":"object"}}]})"));
  McpBridge bridge({options});
  BOOST_TEST(code_of(bridge.host->call("x")) == "unavailable");
  BOOST_TEST(code_of(bridge.host->call("x")) == "unavailable");
  const CallResult refused = bridge.host->call("x");
  BOOST_TEST(refused.raw.at("_meta").at("dev.toolwire/error").at("retryAfterMs").as_int64() > 3'000'000);
  BOOST_TEST(has(refused.text(), "exited with status 3"));
  BOOST_TEST(bridge.back_end().state().starts == 2U);
}

BOOST_AUTO_TEST_CASE(a_program_that_does_not_exist_says_so) {
  mcp::BackEndOptions options{.name = "one", .command = {"/no/such/program"}};
  options.back_off = impatient();
  options.pinned =
      mcp::listing_from(toolwire::parse_json(R"({"tools":[{"name":"x","inputSchema":{"type":"object"}}]})"));
  McpBridge bridge({options});
  BOOST_TEST(has(bridge.host->call("x").text(), "/no/such/program"));
}

BOOST_AUTO_TEST_CASE(a_server_that_never_answers_the_handshake_is_given_up) {
  mcp::BackEndOptions options{.name = "one", .command = {"sh", "-c", "cat > /dev/null"}};
  options.start_timeout = 20ms;
  options.back_off = impatient();
  options.pinned =
      mcp::listing_from(toolwire::parse_json(R"({"tools":[{"name":"x","inputSchema":{"type":"object"}}]})"));
  McpBridge bridge({options});
  BOOST_TEST(code_of(bridge.host->call("x")) == "unavailable");
}

BOOST_AUTO_TEST_CASE(the_bridge_ends_while_a_server_that_never_answers_is_started) {
  mcp::BackEndOptions options{.name = "one", .command = {"sh", "-c", "cat > /dev/null"}};
  options.start_timeout = 1h;
  options.pinned =
      mcp::listing_from(toolwire::parse_json(R"({"tools":[{"name":"x","inputSchema":{"type":"object"}}]})"));
  McpBridge bridge({options});
  auto call = bridge.host->start_call("x");
  BOOST_REQUIRE(comes_true([&] { return bridge.back_end().state().starts == 1U; }));
  bridge.offer.reset();
  BOOST_TEST(code_of(call.wait()) == "unavailable");
}

BOOST_AUTO_TEST_CASE(garbage_on_standard_output_is_passed_over_and_logged) {
  auto options = shell_back_end("one", lists_x() + R"(
while read -r line; do
  echo 'Starting up... {"jsonrpc":'
  id=$(echo "$line" | sed 's/.*"id":\([0-9]*\).*/\1/')
  echo "{\"jsonrpc\":\"2.0\",\"id\":$id,\"result\":{\"content\":[{\"type\":\"text\",\"text\":\"fine\"}]}}"
done)");
  McpBridge bridge({options});
  BOOST_TEST(bridge.host->call("x").text() == "fine");
  BOOST_TEST(comes_true([&] { return bridge.log.has("Starting up..."); }));
}

BOOST_AUTO_TEST_CASE(a_server_that_closes_its_output_and_stays_is_ended_and_started_again) {
  auto options = shell_back_end("one", lists_x() + "read -r line; exec >&-; while :; do sleep 1; done");
  options.grace = {10ms, 10ms};
  options.back_off = impatient();
  McpBridge bridge({options});
  BOOST_TEST(code_of(bridge.host->call("x")) == "unavailable");
  BOOST_TEST(code_of(bridge.host->call("x")) == "unavailable");
  BOOST_TEST(bridge.back_end().state().starts >= 2U);
}

BOOST_AUTO_TEST_CASE(calls_wait_for_a_server_that_is_only_started_by_them) {
  auto options = back_end_program("one");
  options.pinned = mcp::listing_from(toolwire::parse_json(
      R"({"tools":[{"name":"echo","description":"Returns the text","inputSchema":{"type":"object"}}]})"));
  McpBridge bridge({options});
  BOOST_TEST(bridge.tools() == std::vector<std::string>{"echo"});
  BOOST_TEST(bridge.back_end().state().starts == 0U);
  // What the pin says of the schema is not what the server says.
  BOOST_TEST(code_of(bridge.host->call("echo", {{"text", "x"}})) == "changed");
  BOOST_TEST(bridge.back_end().state().starts == 1U);
}

BOOST_AUTO_TEST_CASE(nothing_is_left_running_when_the_bridge_ends) {
  std::vector<pid_t> processes;
  {
    McpBridge bridge({back_end_program("one"), back_end_program("two")});
    for (const char* tool : {"process", "child", "two_process", "two_child"})
      processes.push_back(std::stoi(bridge.host->call(tool).text()));
    for (const pid_t process : processes) BOOST_TEST(is_alive(process));
  }
  for (const pid_t process : processes) BOOST_TEST(comes_true([&] { return !is_alive(process); }));
}

BOOST_AUTO_TEST_CASE(what_a_dead_server_left_behind_goes_with_it) {
  McpBridge bridge({back_end_program("one")});
  const pid_t child = std::stoi(bridge.host->call("child").text());
  BOOST_TEST(is_alive(child));
  bridge.host->call("die", {{"text", "argh"}});
  BOOST_TEST(comes_true([&] { return !is_alive(child); }));
}

BOOST_AUTO_TEST_CASE(a_server_that_is_ended_while_it_starts_has_not_failed) {
  const ScratchFolder folder;
  const std::string started = (folder / "started").string();
  LogBook log;
  mcp::BackEndOptions options{.name = "slow", .command = {"sh", "-c", "touch '" + started + "'; cat > /dev/null"}};
  options.log = log.writer();
  const auto back_end = mcp::make_back_end(options);
  back_end->start();
  BOOST_TEST(comes_true([&] { return std::filesystem::exists(started); }));
  back_end->end();
  BOOST_TEST(log.text().empty(), log.text());
  BOOST_TEST(back_end->state().failures == 0U);
}

BOOST_AUTO_TEST_CASE(secrets_in_last_words_are_not_passed_on) {
  McpBridge bridge({back_end_program("one")});
  const CallResult died = bridge.host->call("die", {{"text", R"({"api_key": "sk-12345678"})"}});
  BOOST_TEST(!has(died.text(), "sk-12345678"));
}

BOOST_AUTO_TEST_CASE(an_answer_may_be_what_a_back_end_ends_with) {
  toolwire::Server server{{.name = "bridge", .version = "1.0.0"}};
  auto back_end = mcp::make_back_end(back_end_program("one"));
  back_end->start();
  back_end->wait_for_tools(30s);
  for (const char* tool : {"hold", "held", "process"})
    server.add(mcp::offered_tool(*back_end->pinned().find(tool), tool, back_end, 0ms));
  toolwire::testing::Client host{server};
  auto held = host.start_call("hold");
  host.call("held", {{"count", 1}});
  const pid_t process = std::stoi(host.call("process").text());
  for (const char* tool : {"hold", "held", "process"}) server.remove_tool(tool);
  back_end.reset();
  ::kill(process, SIGKILL);
  BOOST_TEST(code_of(held.wait()) == "unavailable");
}
