#include "activities/mcp/offered_content.hpp"

#define BOOST_TEST_MODULE bridge_mcp_content_test
#include <algorithm>
#include <atomic>
#include <boost/test/data/monomorphic.hpp>
#include <boost/test/data/test_case.hpp>
#include <boost/test/unit_test.hpp>
#include <chrono>
#include <string>
#include <vector>

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
