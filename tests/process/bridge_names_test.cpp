// The names under which tools of other MCP servers are offered: they follow the order of the configuration, however
// quickly the servers start, and whatever one of them adds later.
#define BOOST_TEST_MODULE bridge_names_test
#include <boost/test/unit_test.hpp>

#include <string>
#include <vector>

#include "mcp_bridge.hpp"
#include "scratch_folder.hpp"

using namespace toolwire_test;

namespace {

/// Has one tool "x", which it lists once the file is there.
mcp::BackEndOptions late(const std::string& name, const std::string& file) {
  return shell_back_end(name, "while ! [ -e '" + file + "' ]; do sleep 0.01; done\n" + lists_x() + "cat > /dev/null\n");
}

mcp::BackEndOptions quick(const std::string& name, const std::string& signal = {}) {
  return shell_back_end(name, lists_x() + (signal.empty() ? "" : "touch '" + signal + "'\n") + "cat > /dev/null\n");
}

}  // namespace

BOOST_AUTO_TEST_CASE(whoever_answers_first_does_not_get_the_name) {
  for (int start = 0; start < 20; ++start) {
    const ScratchFolder folder;
    const std::string listed = (folder / "listed").string();
    McpBridge bridge({late("first", listed), quick("second", listed)});
    BOOST_TEST(bridge.tools() == (std::vector<std::string>{"x", "second_x"}), boost::test_tools::per_element());
  }
}

BOOST_AUTO_TEST_CASE(what_comes_after_a_late_server_waits_for_it) {
  const ScratchFolder folder;
  const std::string go = (folder / "go").string();
  mcp::OfferOptions options;
  options.start_wait = std::chrono::milliseconds{0};
  std::vector<mcp::BackEndOptions> both{late("first", go), quick("second")};
  toolwire::Server server({.name = "bridge", .version = "1.0.0"});
  mcp::Offer offer(server, std::move(both), options);
  offer.begin();
  BOOST_TEST(comes_true([&] { return offer.back_ends()[1]->has_answered(); }));
  BOOST_TEST(offer.tool_names().empty());
  folder.file("go");
  BOOST_TEST(comes_true([&] { return offer.tool_names().size() == 2; }));
  BOOST_TEST(offer.tool_names() == (std::vector<std::string>{"x", "second_x"}), boost::test_tools::per_element());
}

BOOST_AUTO_TEST_CASE(a_server_that_does_not_start_holds_up_no_other) {
  McpBridge bridge({{.name = "first", .command = {"/nowhere/server"}}, quick("second")});
  BOOST_TEST(bridge.tools() == std::vector<std::string>{"x"}, boost::test_tools::per_element());
}

BOOST_AUTO_TEST_CASE(names_are_prefixed_as_it_is_said) {
  std::vector<mcp::BackEndOptions> three{quick("first"), quick("second"), quick("third")};
  three[0].prefix = mcp::Prefix::always;
  three[1].prefix = mcp::Prefix::never;
  three[2].prefix = mcp::Prefix::never;
  McpBridge bridge(std::move(three));
  BOOST_TEST(bridge.tools() == (std::vector<std::string>{"first_x", "x"}), boost::test_tools::per_element());
  BOOST_TEST(bridge.log.has(R"("x" is not offered: another tool has this name, and "prefix" is "never" for "third")"));
}
