// The names under which tools of other MCP servers are offered: they follow the order of the configuration, however
// quickly the servers start, and whatever one of them adds later.
#define BOOST_TEST_MODULE bridge_names_test
#include <boost/test/unit_test.hpp>

#include <atomic>
#include <functional>
#include <mutex>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "mcp_bridge.hpp"
#include "scratch_folder.hpp"
#include "system/timers.hpp"

using namespace toolwire_test;

namespace {

/// Has one tool "x", which it lists once the file is there.
mcp::BackEndOptions late(const std::string& name, const std::string& file) {
  return shell_back_end(name, "while ! [ -e '" + file + "' ]; do sleep 0.01; done\n" + lists_x() + "cat > /dev/null\n");
}

mcp::BackEndOptions quick(const std::string& name, const std::string& signal = {}) {
  return shell_back_end(name, lists_x() + (signal.empty() ? "" : "touch '" + signal + "'\n") + "cat > /dev/null\n");
}

/// Nothing is due before the test says so.
class HeldTimers : public toolwire::bridge::Timers {
 public:
  Handle at(Clock::time_point when, std::function<void()> what) override {
    const std::lock_guard lock(mutex_);
    due_.push_back(std::move(what));
    return {when, 0};
  }
  void cancel(const Handle&) override {}

  /// How many there were.
  std::size_t run_all() {
    const std::vector<std::function<void()>> due = [this] {
      const std::lock_guard lock(mutex_);
      return std::exchange(due_, {});
    }();
    for (const auto& what : due) what();
    return due.size();
  }

  bool is_waited_for() {
    const std::lock_guard lock(mutex_);
    return !due_.empty();
  }

 private:
  std::mutex mutex_;
  std::vector<std::function<void()>> due_;
};

/// Servers that list their tools after the bridge has begun.
struct GatheredFixture {
  ScratchFolder folder;
  HeldTimers timers;
  toolwire::Server server{{.name = "bridge", .version = "1.0.0"}, {.declares = {.tools = true}}};
  std::atomic<int> told = 0;
  std::optional<toolwire::testing::Client> host;
  std::optional<mcp::Offer> offer;

  void begin(std::vector<mcp::BackEndOptions> back_ends) {
    mcp::OfferOptions options;
    options.start_wait = std::chrono::milliseconds{0};
    options.order_wait = std::chrono::milliseconds{0};
    options.timers = &timers;
    offer.emplace(server, std::move(back_ends), options);
    offer->begin();
    toolwire::ClientOptions listening = toolwire_test::host("2025-11-25");
    listening.on_notification = [this](const std::string& method, const toolwire::Json&) {
      if (method == "notifications/tools/list_changed") ++told;
    };
    host.emplace(server, listening);
    folder.file("go");
    for (const auto& back_end : offer->back_ends()) BOOST_TEST(comes_true([&] { return back_end->has_answered(); }));
    BOOST_TEST(
        comes_true([&] { return timers.is_waited_for(); }));  // what was answered is taken note of a moment later
  }
};

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

// A host that asks once would have none of its tools.
BOOST_AUTO_TEST_CASE(a_server_that_is_late_for_long_holds_up_no_other) {
  const ScratchFolder folder;
  LogBook log;
  HeldTimers timers;
  mcp::OfferOptions options;
  options.start_wait = std::chrono::milliseconds{0};
  options.order_wait = std::chrono::hours{1};
  options.log = log.writer();
  options.timers = &timers;
  std::vector<mcp::BackEndOptions> both{late("first", (folder / "go").string()), quick("second")};
  toolwire::Server server({.name = "bridge", .version = "1.0.0"});
  mcp::Offer offer(server, std::move(both), options);
  offer.begin();
  BOOST_TEST(comes_true([&] { return offer.back_ends()[1]->has_answered(); }));
  BOOST_TEST(offer.tool_names().empty());
  timers.run_all();
  BOOST_TEST(offer.tool_names() == std::vector<std::string>{"x"}, boost::test_tools::per_element());
  BOOST_TEST(!offer.have_all_answered());
  BOOST_TEST(log.has(R"(back-end "first" has not listed its tools yet)"));
  folder.file("go");
  BOOST_TEST(comes_true([&] { return offer.back_ends()[0]->has_answered(); }));
  BOOST_TEST(comes_true([&] { return timers.run_all() > 0; }));
  BOOST_TEST(offer.tool_names() == (std::vector<std::string>{"first_x", "x"}), boost::test_tools::per_element());
  BOOST_TEST(offer.have_all_answered());
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

BOOST_FIXTURE_TEST_CASE(what_several_servers_have_later_is_told_once, GatheredFixture) {
  const std::string go = (folder / "go").string();
  begin({late("first", go), late("second", go), late("third", go)});
  BOOST_TEST(offer->tool_names().empty());
  BOOST_TEST(timers.run_all() == 1);
  const std::vector<std::string> names{"x", "second_x", "third_x"};
  BOOST_TEST(offer->tool_names() == names, boost::test_tools::per_element());
  BOOST_TEST(comes_true([&] { return told > 0; }));
  std::vector<std::string> listed;
  for (const auto& tool : host->list_tools()) listed.push_back(tool.name);
  BOOST_TEST(listed == names, boost::test_tools::per_element());
  BOOST_TEST(told == 1);
}

BOOST_FIXTURE_TEST_CASE(what_one_has_that_cannot_be_offered_holds_up_no_other, GatheredFixture) {
  const std::string go = (folder / "go").string();
  server.tool("second_x", "Of the bridge itself", [] { return std::string(); });
  begin({late("first", go), late("second", go), late("third", go)});
  BOOST_TEST(timers.run_all() == 1);
  BOOST_TEST(offer->tool_names() == (std::vector<std::string>{"x", "third_x"}), boost::test_tools::per_element());
}

BOOST_FIXTURE_TEST_CASE(an_offer_that_has_ended_is_not_changed, GatheredFixture) {
  begin({late("first", (folder / "go").string())});
  offer.reset();
  BOOST_TEST(timers.run_all() == 1);
  BOOST_TEST(host->list_tools().empty());
}
