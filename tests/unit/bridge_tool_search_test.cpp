// `search_tools` and `call_tool` on a server of this process.
#include "search/tool_search.hpp"

#define BOOST_TEST_MODULE bridge_tool_search_test
#include <boost/test/unit_test.hpp>

#include <atomic>
#include <optional>
#include <string>
#include <vector>

#include <toolwire/testing.hpp>

#include "failure_code.hpp"

using namespace toolwire;
using namespace toolwire_test;

namespace {

/// A server with a search, which counts how often all tools are listed.
struct SearchedServer {
  std::atomic<int> lists = 0;
  Server server{{.name = "searched", .version = "1"}};
  std::optional<bridge::ToolSearch> search;
  std::optional<testing::Client> client;

  SearchedServer() {
    server.around_request([this](AnyRequest& request, Context&, RequestNext next) {
      lists += request.method == "tools/list" ? 1 : 0;
      next();
    });
    add("red_apple");
    add("green_pear");
    bridge::ToolSearchOptions options{.is_shown = [](const std::string&) { return false; }};
    search.emplace(server, options);
    client.emplace(server);
  }
  ~SearchedServer() {
    client.reset();
    search.reset();
  }
  SearchedServer(const SearchedServer&) = delete;
  SearchedServer& operator=(const SearchedServer&) = delete;

  void add(const std::string& name) {
    server.tool(name, "Eats a " + name, [] { return "eaten"; });
  }
  std::string found(const std::string& query) { return client->call("search_tools", {{"query", query}}).text(); }
  CallResult call(const std::string& name) { return client->call("call_tool", {{"name", name}}); }
};

}  // namespace

BOOST_FIXTURE_TEST_CASE(the_index_is_kept_until_the_list_changes, SearchedServer) {
  for (int i = 0; i < 5; ++i) BOOST_TEST(found("apple").find("red_apple") != std::string::npos);
  BOOST_TEST(found("pear").find("green_pear") != std::string::npos);
  BOOST_TEST(lists == 1);
  add("blue_plum");
  BOOST_TEST(found("plum").find("blue_plum") != std::string::npos);
  BOOST_TEST(lists == 2);
  server.remove_tool("red_apple");
  BOOST_TEST(found("apple").find("None of 2 tools") == 0U);
  server.change_tools(
      {.replace = {make_tool({.name = "green_pear", .description = "Peels a quince"}, [] { return 1; })}});
  BOOST_TEST(found("quince").find("green_pear") != std::string::npos);
  BOOST_TEST(lists == 4);
}

BOOST_FIXTURE_TEST_CASE(a_tool_that_speaks_of_unknown_tools_is_known, SearchedServer) {
  server.tool("refuses", "Refuses", []() -> std::string {
    throw ProtocolError(error_code::invalid_params, "Unknown tool \"hammer\" in the box");
  });
  const CallResult refused = call("refuses");
  BOOST_TEST(refused.is_error);
  BOOST_TEST(code_of(refused) != "unknown_tool");
  BOOST_TEST(refused.text().find("hammer") != std::string::npos, refused.text());
  const CallResult unknown = call("red_aple");
  BOOST_TEST(code_of(unknown) == "unknown_tool");
  BOOST_TEST(unknown.text().find("did you mean \"red_apple\"?") != std::string::npos, unknown.text());
  BOOST_TEST(code_of(call("search_tools")) == "unknown_tool");
  BOOST_TEST(call("red_apple").text() == "eaten");
}
