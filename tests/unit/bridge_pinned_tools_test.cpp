#include "activities/mcp/pinned_tools.hpp"

#define BOOST_TEST_MODULE bridge_pinned_tools_test
#include <boost/test/unit_test.hpp>
#include <string>
#include <vector>

using namespace toolwire::bridge::mcp;
using toolwire::Json;
using toolwire::JsonObject;

namespace {

Json tool(const std::string& name, const std::string& description = "") {
  return JsonObject{{"name", name}, {"description", description}, {"inputSchema", JsonObject{}}};
}

Listing listing(std::vector<Json> tools) { return {.tools = std::move(tools)}; }

std::vector<std::string> names(const Listing& listing) {
  std::vector<std::string> all;
  for (const Json& one : listing.tools) all.push_back(name_of(one));
  return all;
}

using Names = std::vector<std::string>;

}  // namespace

BOOST_AUTO_TEST_CASE(the_first_listing_is_pinned) {
  PinnedTools tools({}, OnChange::refuse);
  BOOST_TEST(!tools.is_known());
  BOOST_TEST(tools.notes_on(listing({tool("a")})).empty());
  BOOST_TEST(tools.take(listing({tool("a")})));
  BOOST_TEST(names(tools.offered()) == Names{"a"});
  BOOST_TEST(!tools.take(listing({tool("a")})));
}

BOOST_AUTO_TEST_CASE(a_tool_that_differs_stays_on_offer_and_is_held_against_the_pinned_one) {
  PinnedTools tools(listing({tool("a", "one"), tool("b")}), OnChange::refuse);
  BOOST_TEST(!tools.take(listing({tool("a", "two"), tool("b")})));
  BOOST_TEST((tools.difference("a") != nullptr));
  BOOST_TEST((tools.difference("b") == nullptr));
  BOOST_TEST(tools.differences().size() == 1U);
  BOOST_TEST(names(tools.offered()) == (Names{"a", "b"}));
  BOOST_TEST(!tools.take(listing({tool("a", "one"), tool("b")})));
  BOOST_TEST(tools.differences().empty());
}

BOOST_AUTO_TEST_CASE(a_new_tool_is_not_offered_until_it_is_accepted) {
  PinnedTools tools(listing({tool("a")}), OnChange::refuse);
  tools.take(listing({tool("a"), tool("b")}));
  BOOST_TEST(names(tools.offered()) == Names{"a"});
  BOOST_TEST(tools.accept_changes() == Names{"b"});
  BOOST_TEST(names(tools.offered()) == (Names{"a", "b"}));
  BOOST_TEST(tools.accept_changes().empty());
}

BOOST_AUTO_TEST_CASE(a_tool_the_server_lost_is_taken_off_the_offer_and_stays_pinned) {
  PinnedTools tools(listing({tool("a"), tool("b")}), OnChange::refuse);
  BOOST_TEST(tools.take(listing({tool("b")})));
  BOOST_TEST(names(tools.offered()) == Names{"b"});
  BOOST_TEST(names(tools.pinned()) == (Names{"a", "b"}));
  BOOST_TEST(tools.take(listing({tool("a"), tool("b")})));
  BOOST_TEST(names(tools.offered()) == (Names{"a", "b"}));
}

BOOST_AUTO_TEST_CASE(changes_are_followed_where_the_operator_says_so) {
  PinnedTools tools(listing({tool("a", "one")}), OnChange::accept);
  BOOST_TEST(tools.take(listing({tool("a", "two"), tool("b")})));
  BOOST_TEST((tools.difference("a") == nullptr));
  BOOST_TEST(names(tools.offered()) == (Names{"a", "b"}));
}

BOOST_AUTO_TEST_CASE(each_change_is_said_once) {
  PinnedTools tools(listing({tool("a", "one"), tool("c")}), OnChange::refuse);
  const auto now = [] { return listing({tool("a", "two"), tool("b")}); };
  const auto notes = tools.notes_on(now());
  BOOST_TEST_REQUIRE(notes.size() == 3U);
  BOOST_TEST(notes[0].starts_with("its tool \"a\" has changed: "));
  BOOST_TEST(notes[1] == "has new tools: \"b\"; not offered unless the operator accepts them");
  BOOST_TEST(notes[2] == "no longer has: \"c\"");
  tools.take(now());
  BOOST_TEST(tools.notes_on(now()).empty());
}

BOOST_AUTO_TEST_CASE(resources_and_prompts_are_not_pinned) {
  PinnedTools tools(listing({tool("a")}), OnChange::refuse);
  Listing now = listing({tool("a")});
  now.prompts.push_back(JsonObject{{"name", "p"}});
  const bool has_changed = tools.take(std::move(now));
  BOOST_TEST(has_changed);
  BOOST_TEST(tools.offered().prompts.size() == 1U);
}
