#include "activities/mcp/offered_content.hpp"

#define BOOST_TEST_MODULE bridge_mcp_content_test
#include <algorithm>
#include <atomic>
#include <boost/test/data/monomorphic.hpp>
#include <boost/test/data/test_case.hpp>
#include <boost/test/unit_test.hpp>
#include <chrono>
#include <mutex>
#include <string>
#include <toolwire/client.hpp>
#include <vector>

#include "heard_client.hpp"
#include "mcp_bridge.hpp"

using namespace toolwire_test;
using toolwire::Json;
using toolwire::JsonObject;

namespace {

const std::vector<std::string> revisions{"2025-11-25", "2026-07-28"};

Json read(McpBridge& bridge, const char* uri) {
  return bridge.host->request("resources/read", {{"uri", uri}}).at("contents").at(0);
}

std::vector<std::string> uris(McpBridge& bridge) {
  std::vector<std::string> all;
  const Json listed = bridge.host->request("resources/list");
  for (const Json& one : listed.at("resources").as_array())
    all.emplace_back(std::string_view(one.at("uri").as_string()));
  return all;
}

bool contains(const std::vector<std::string>& all, const std::string& one) {
  return std::find(all.begin(), all.end(), one) != all.end();
}

/// A legacy server that declares `capabilities`, and answers each list with what `cases` of a shell say: a line of JSON
/// behind the id.
mcp::BackEndOptions server_with(const std::string& capabilities, const std::string& cases) {
  return {.name = "one",
          .command = {"sh", "-c",
                      R"(while read -r line; do
  id=$(echo "$line" | sed -n 's/.*"id":\([0-9]*\).*/\1/p')
  case "$line" in
  *'"initialize"'*) answer='"result":{"protocolVersion":"2025-11-25","capabilities":)" +
                          capabilities + R"(,"serverInfo":{"name":"sh","version":"1"}}' ;;
  *'"notifications/'*) continue ;;
)" + cases + R"(
  *) answer='"error":{"code":-32601,"message":"Method not found"}' ;;
  esac
  echo "{\"jsonrpc\":\"2.0\",\"id\":$id,$answer}"
done)"},
          .revision = "2025-11-25"};
}

constexpr const char* list_of_x =
    R"(*'"tools/list"'*) answer='"result":{"tools":[{"name":"x","inputSchema":{"type":"object"}}]}' ;;)";

}  // namespace

BOOST_DATA_TEST_CASE(resources_are_listed_and_read,
                     boost::unit_test::data::make(revisions) * boost::unit_test::data::make(revisions), front, back) {
  McpBridge bridge({back_end_program("one", back)}, host(front));
  const Json listed = bridge.host->request("resources/list").at("resources").at(0);
  BOOST_TEST(listed.at("uri") == "note://one");
  BOOST_TEST(listed.at("description") == "A note");
  BOOST_TEST(read(bridge, "note://one").at("text") == "the note");
  BOOST_TEST(read(bridge, "note://one").at("mimeType") == "text/plain");
  BOOST_TEST(read(bridge, "note://bytes").at("blob") == "AP8K");
  BOOST_TEST(read(bridge, "page://7").at("text") == "page 7");
}

BOOST_AUTO_TEST_CASE(a_resource_the_back_end_does_not_find_is_an_error) {
  for (const std::string& back : revisions) {
    McpBridge bridge({back_end_program("one", back)}, host("2026-07-28"));
    const auto not_found = [](const toolwire::ProtocolError& error) { return error.code == -32602; };
    BOOST_CHECK_EXCEPTION(read(bridge, "page://0"), toolwire::ProtocolError, not_found);
  }
}

BOOST_AUTO_TEST_CASE(resources_of_two_servers_stay_apart) {
  McpBridge bridge({back_end_program("one"), back_end_program("two_2")});
  BOOST_TEST(contains(uris(bridge), "note://one"));
  BOOST_TEST(contains(uris(bridge), "two-2+note://one"));
  BOOST_TEST(read(bridge, "two-2+note://one").at("text") == "the note");
  BOOST_TEST(read(bridge, "two-2+note://one").at("uri") == "two-2+note://one");
  BOOST_TEST(read(bridge, "two-2+page://3").at("text") == "page 3");
}

BOOST_AUTO_TEST_CASE(a_reading_can_ask_the_user) {
  for (const std::string& back : revisions) {
    std::atomic<int> asked = 0;
    McpBridge bridge({back_end_program("one", back)}, willing_host("2025-11-25", asked));
    BOOST_TEST(read(bridge, "note://asks").at("text") == "sure");
    BOOST_TEST(asked == 1);
  }
}

BOOST_DATA_TEST_CASE(prompts_are_listed_and_filled, boost::unit_test::data::make(revisions), back) {
  McpBridge bridge({back_end_program("one", back), back_end_program("two", back)});
  const auto prompts = bridge.host->list_prompts();
  BOOST_REQUIRE(prompts.size() == 2U);
  BOOST_TEST(prompts[0].name == "greet");
  BOOST_TEST(prompts[1].name == "two_greet");
  BOOST_TEST(prompts[1].arguments.at(0).required);
  const auto filled = bridge.host->get_prompt("two_greet", {{"text", "the cat"}});
  BOOST_TEST(filled.messages.at(0).at("content").at("text") == "Greet the cat");
  BOOST_TEST(filled.messages.at(0).at("role") == "user");
}

BOOST_DATA_TEST_CASE(new_resources_are_followed, boost::unit_test::data::make(revisions), back) {
  McpBridge bridge({back_end_program("one", back)});
  bridge.host->call("post", {{"text", "fresh"}});
  BOOST_TEST(comes_true([&] { return contains(uris(bridge), "note://fresh"); }));
  BOOST_TEST(read(bridge, "note://fresh").at("text") == "posted");
}

BOOST_DATA_TEST_CASE(many_that_come_at_once_are_one_notification_of_each_kind,
                     boost::unit_test::data::make(revisions) * boost::unit_test::data::make(revisions), front, back) {
  McpBridge bridge({back_end_program("one", back)}, host(front));
  HeardClient heard(bridge.server, front);
  bridge.host->call("publish", {{"count", 25}});
  BOOST_TEST(comes_true([&] { return uris(bridge).size() >= 25 && bridge.host->list_prompts().size() >= 25; }));
  BOOST_TEST(bridge.host->request("resources/templates/list").at("resourceTemplates").as_array().size() >= 25U);
  BOOST_TEST(comes_true([&] { return heard.told("prompts") > 0; }));
  BOOST_TEST(heard.told("resources") == 1U);
  BOOST_TEST(heard.told("prompts") == 1U);
  BOOST_TEST(heard.told("tools") == 0U);
}

BOOST_AUTO_TEST_CASE(one_that_cannot_be_offered_does_not_keep_the_others_away) {
  toolwire::Server server({.name = "bridge", .version = "1"}, {.declares = {.prompts = true, .resources = true}});
  for (const char* const taken : {"many_7", "many_8"})
    server.prompt({.name = taken}, [] { return "of somebody else"; });
  LogBook log;
  mcp::OfferOptions options;
  options.start_wait = std::chrono::seconds(30);
  options.log = log.writer();
  std::vector<mcp::BackEndOptions> back_ends;
  back_ends.push_back(back_end_program("one"));
  back_ends.push_back(back_end_program("two_2"));
  mcp::Offer offer(server, std::move(back_ends), std::move(options));
  offer.begin();
  HeardClient heard(server, "2026-07-28");
  heard.client().call("publish", {{"count", 25}});
  BOOST_TEST(comes_true([&] { return log.has("\"many_7\" is not offered") && log.has("\"many_8\" is not offered"); }));
  BOOST_TEST(comes_true([&] { return heard.client().list_prompts().size() == 27U; }));  // with "greet" of both
  BOOST_TEST(heard.client().list_prompts().back().name == "two_2_greet");  // behind all of the first server
  BOOST_TEST(heard.told("prompts") > 0U);
  BOOST_TEST(heard.told("prompts") < 10U);
}

BOOST_DATA_TEST_CASE(an_update_of_a_resource_reaches_the_host_that_subscribed,
                     boost::unit_test::data::make(revisions) * boost::unit_test::data::make(revisions), front, back) {
  McpBridge bridge({back_end_program("one", back), back_end_program("two_2", back)}, host(front));
  std::mutex mutex;
  std::vector<std::string> updated;
  const auto heard = [&](const std::string& uri) {
    const std::lock_guard lock(mutex);
    updated.push_back(uri);
  };
  const auto subscription = bridge.host->subscribe_resources({"two-2+note://kept"}, heard);
  bridge.host->call("touch", {{"text", "note://kept"}});  // of the other server: nobody subscribed to that
  bridge.host->call("two_2_touch", {{"text", "note://kept"}});
  BOOST_TEST(comes_true([&] {
    const std::lock_guard lock(mutex);
    return !updated.empty();
  }));
  const std::lock_guard lock(mutex);
  BOOST_TEST(updated == std::vector<std::string>{"two-2+note://kept"});
}

BOOST_DATA_TEST_CASE(suggestions_are_the_servers,
                     boost::unit_test::data::make(revisions) * boost::unit_test::data::make(revisions), front, back) {
  McpBridge bridge({back_end_program("one", back), back_end_program("two_2", back)}, host(front));
  BOOST_TEST(toolwire::complete_prompt(*bridge.host, "two_2_greet", "text", "b").values ==
             (std::vector<std::string>{"bear", "bee"}));
  BOOST_TEST(toolwire::complete_template(*bridge.host, "two-2+page://{number}", "number", "1").values ==
             (std::vector<std::string>{"1", "10"}));
  BOOST_TEST(toolwire::complete_prompt(*bridge.host, "greet", "text", "x").values.empty());
}

BOOST_AUTO_TEST_CASE(a_reading_that_dies_with_its_server_says_so) {
  auto options = back_end_program("one");
  options.back_off = {
      .first = std::chrono::hours(1), .longest = std::chrono::hours(1), .stable = std::chrono::hours(1)};
  options.unasked_restarts = 0;
  McpBridge bridge({options});
  bridge.host->call("die", {{"text", "argh"}});
  bridge.host->call("die", {{"text", "argh"}});
  const auto unavailable = [](const toolwire::ProtocolError& error) {
    return error.code == -32603 && error.data.at("code") == "unavailable";
  };
  BOOST_CHECK_EXCEPTION(read(bridge, "note://one"), toolwire::ProtocolError, unavailable);
}

BOOST_AUTO_TEST_CASE(a_list_that_a_server_declares_and_refuses_costs_none_of_the_others) {
  McpBridge bridge({server_with(R"({"tools":{},"resources":{},"prompts":{}})", std::string(list_of_x) + R"(
  *'"resources/list"'*) answer='"result":{"resources":[{"uri":"note://one","name":"one"}]}' ;;
  *'"prompts/list"'*) answer='"result":{"prompts":null}' ;;)")});
  BOOST_TEST(bridge.tools() == std::vector<std::string>{"x"});
  BOOST_TEST(uris(bridge) == std::vector<std::string>{"note://one"});
  BOOST_TEST(bridge.back_end().state().failures == 0U);
  BOOST_TEST(bridge.log.has("\"resources/templates/list\" was refused: Method not found (-32601)"), bridge.log.text());
  BOOST_TEST(bridge.log.has("the result of \"prompts/list\" has no array \"prompts\""), bridge.log.text());
}

BOOST_AUTO_TEST_CASE(a_server_that_declares_nothing_and_lists_nothing_runs) {
  McpBridge bridge({server_with(R"({"logging":{}})", "")});
  BOOST_TEST(bridge.tools().empty());
  BOOST_TEST(bridge.back_end().state().running);
  BOOST_TEST(bridge.back_end().state().failures == 0U);
}

BOOST_AUTO_TEST_CASE(a_server_that_declares_tools_and_refuses_to_list_them_says_which_request_it_refused) {
  auto options = server_with(R"({"tools":{}})", "");
  options.unasked_restarts = 0;
  McpBridge bridge({options});
  BOOST_TEST(bridge.tools().empty());
  BOOST_TEST(bridge.log.has("it could not be started: \"tools/list\" was refused: Method not found (-32601)"),
             bridge.log.text());
}

BOOST_AUTO_TEST_CASE(an_empty_cursor_and_one_that_comes_again_are_the_end_of_a_list) {
  const auto with_cursor = [](const std::string& cursor) {
    return server_with(R"({"tools":{}})",
                       R"(*'"tools/list"'*) answer='"result":{"tools":[{"name":"x","inputSchema":{"type":"object"}}],)"
                       R"("nextCursor":")" +
                           cursor + R"("}' ;;)");
  };
  McpBridge empty({with_cursor("")});
  BOOST_TEST(empty.tools() == std::vector<std::string>{"x"});
  BOOST_TEST(empty.log.text().empty(), empty.log.text());
  McpBridge again({with_cursor("more")});
  BOOST_TEST(again.tools() == std::vector<std::string>{"x"});
  BOOST_TEST(again.log.has("\"tools/list\" gives the cursor \"more\" again; what it had listed by then counts"),
             again.log.text());
}
