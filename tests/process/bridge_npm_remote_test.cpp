// Servers of others that are reached over HTTP, as npm has them, behind the bridge.
#define BOOST_TEST_MODULE bridge_npm_remote_test
#include <netinet/in.h>
#include <sys/socket.h>

#include <boost/test/unit_test.hpp>

#include <array>
#include <atomic>
#include <chrono>
#include <csignal>
#include <memory>
#include <string>
#include <toolwire/system/file_descriptor.hpp>
#include <vector>

#include <toolwire/http/detail/http_client.hpp>
#include "mcp_bridge.hpp"

using namespace toolwire;
using namespace toolwire_test;

namespace {

const std::string modules = TOOLWIRE_HOSTS_DIR "/node_modules/";

/// A port of 127.0.0.1 that nobody listens on.
std::uint16_t free_port() {
  const system::FileDescriptor socket{::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0)};
  sockaddr_in address{};
  address.sin_family = AF_INET;
  address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  socklen_t size = sizeof address;
  BOOST_REQUIRE(::bind(socket.get(), reinterpret_cast<const sockaddr*>(&address), size) == 0);
  BOOST_REQUIRE(::getsockname(socket.get(), reinterpret_cast<sockaddr*>(&address), &size) == 0);
  return ntohs(address.sin_port);
}

Program node(std::vector<std::string> arguments) {
  Program program{.command = {modules + ".bin/node"}};
  program.command.insert(program.command.end(), arguments.begin(), arguments.end());
  program.environment["NODE_COMPILE_CACHE"] = TOOLWIRE_HOSTS_DIR "/compile_cache";
  program.own_group = program.end_with_parent = true;
  return program;
}

/// The server of the SDK v2 that the conformance suite judges, or one of the SDK v1, on a port of its own.
struct SdkServer {
  explicit SdkServer(const std::string& file = "judged_server.mjs", const std::string& option = "--http")
      : process(node({TOOLWIRE_HOSTS_DIR "/" + file, option})), url(first_line()) {}
  ~SdkServer() { process.kill(); }

  ChildProcess process;
  std::string url;

 private:
  std::string first_line() {
    std::string line;
    for (char c = 0; process.transport().read(&c, 1) == 1 && c != '\n';) line.push_back(c);
    return line;
  }
};

/// `everything` of npm, which does not say which port it has.
struct Everything {
  std::uint16_t port = free_port();
  ChildProcess process{program()};
  std::string url = "http://127.0.0.1:" + std::to_string(port) + "/mcp";

  ~Everything() { process.kill(); }

 private:
  Program program() const {
    Program made = node({modules + "@modelcontextprotocol/server-everything/dist/index.js", "streamableHttp"});
    made.environment["PORT"] = std::to_string(port);
    return made;
  }
};

struct Reach {
  std::shared_ptr<HttpClient> http = std::make_shared<HttpClient>();

  ~Reach() { http->close(); }
  mcp::BackEndOptions back_end(const std::string& url, std::string revision = {}) const {
    mcp::BackEndOptions made{.name = "far", .revision = std::move(revision), .unasked_restarts = 1000};
    made.remote = remote::RemoteServer{.url = url};
    made.http = http;
    return made;
  }
};

}  // namespace

BOOST_AUTO_TEST_CASE(a_server_of_the_sdk_v2_is_used_in_both_eras) {
  const SdkServer sdk;
  const Reach reach;
  for (const char* const revision : {"", "2025-11-25"}) {
    BOOST_TEST_CONTEXT("revision '" << revision << "'") {
      McpBridge bridge({reach.back_end(sdk.url, revision)});
      BOOST_TEST(bridge.tools().size() == 11U);
      BOOST_TEST(bridge.host->call("echo", {{"message", "hü\n"}}).text() == "hü\n");
      BOOST_TEST(bridge.host->call("test_big_output", {{"bytes", 1'000'000}}).text().size() == 1'000'000U);
      std::vector<double> reports;
      CallOptions options;
      options.on_progress = [&](const ProgressReport& report) { reports.push_back(report.progress); };
      BOOST_TEST(bridge.host->call("test_tool_with_progress", JsonObject(), options).text() == "done");
      BOOST_TEST_REQUIRE(!reports.empty());  // the bridge passes on no more than so many a second
      BOOST_TEST(reports.front() == 0);
      BOOST_TEST(bridge.host->call("test_throws", JsonObject()).is_error);
      BOOST_TEST(bridge.host->list_prompts().size() == 2U);
      BOOST_TEST(list_resources(*bridge.host).size() == 2U);
      BOOST_TEST(bridge.back_end().state().failures == 0U);
    }
  }
}

BOOST_AUTO_TEST_CASE(a_server_of_the_sdk_v2_asks_and_is_cancelled) {
  const SdkServer sdk;
  const Reach reach;
  ClientOptions options;
  options.on_elicitation = [](const Elicitation&) {
    return ElicitationReply{.action = ElicitationReply::Action::accept, .content = {{"name", "Ana"}}};
  };
  McpBridge bridge({reach.back_end(sdk.url)}, options);
  BOOST_TEST(bridge.host->call("test_input_required_result_elicitation", JsonObject()).text() == "Hello, Ana");
  CallHandle call = bridge.host->start_call("test_slow", {{"seconds", 3600}});
  call.cancel();
  BOOST_CHECK_THROW(call.wait(), CancelledError);
  BOOST_TEST(bridge.host->call("echo", {{"message", "here"}}).text() == "here");
}

BOOST_AUTO_TEST_CASE(a_server_of_the_sdk_v2_says_that_its_tools_changed) {
  SdkServer sdk;
  const Reach reach;
  std::atomic<int> listings = 0;
  mcp::BackEndOptions far = reach.back_end(sdk.url);
  far.keep = [&](const mcp::Listing&) { ++listings; };
  McpBridge bridge({far});
  BOOST_TEST(listings == 1);
  sdk.process.signal(SIGUSR2);
  BOOST_TEST(comes_true([&] { return listings > 1; }));
}

BOOST_AUTO_TEST_CASE(a_server_of_the_sdk_v1_is_used_with_a_session_and_streams) {
  const SdkServer sdk("v1_server.mjs", "--sessions");
  const Reach reach;
  std::atomic<int> listings = 0;
  mcp::BackEndOptions far = reach.back_end(sdk.url);
  far.keep = [&](const mcp::Listing&) { ++listings; };
  ClientOptions options;
  options.on_elicitation = [](const Elicitation&) {
    return ElicitationReply{.action = ElicitationReply::Action::accept, .content = {{"name", "Ana"}}};
  };
  McpBridge bridge({far}, options);
  BOOST_TEST(bridge.host->call("echo", {{"message", "hü\n"}}).text() == "hü\n");
  BOOST_TEST(bridge.host->call("fail", JsonObject()).is_error);
  std::atomic<int> reports = 0;
  CallOptions counting;
  counting.on_progress = [&](const ProgressReport&) { ++reports; };
  BOOST_TEST(bridge.host->call("count", JsonObject(), counting).text() == "counted");
  BOOST_TEST(reports > 0);
  BOOST_TEST(bridge.host->call("ask", JsonObject()).text() == "Hello, Ana");
  BOOST_TEST(listings == 1);
  BOOST_TEST(bridge.host->call("grow", JsonObject()).text() == "one tool more");
  BOOST_TEST(comes_true([&] { return listings > 1; }));  // told in the stream of the server's own
  BOOST_TEST(bridge.back_end().state().failures == 0U);
}

BOOST_AUTO_TEST_CASE(a_server_of_the_sdk_v1_is_used_without_sessions_and_streams) {
  const SdkServer sdk("v1_server.mjs", "--stateless");
  const Reach reach;
  McpBridge bridge({reach.back_end(sdk.url)});
  BOOST_TEST(bridge.tools().size() == 5U);
  BOOST_TEST(bridge.host->call("echo", {{"message", "hü\n"}}).text() == "hü\n");
  BOOST_TEST(bridge.host->call("fail", JsonObject()).is_error);
  BOOST_TEST(bridge.host->call("count", JsonObject()).text() == "counted");
  BOOST_TEST(bridge.back_end().state().failures == 0U);
}

BOOST_AUTO_TEST_CASE(everything_of_npm_is_used_with_its_sessions) {
  const Everything everything;
  const Reach reach;
  std::atomic<int> asked = 0;
  ClientOptions options;
  options.on_elicitation = [&](const Elicitation&) {
    ++asked;
    return ElicitationReply{.action = ElicitationReply::Action::decline};
  };
  McpBridge bridge({reach.back_end(everything.url)}, options);
  BOOST_TEST(comes_true([&] { return bridge.tools().size() > 10U; }));  // it takes its time to listen
  BOOST_TEST(bridge.host->call("echo", {{"message", "hi"}}).text() == "Echo: hi");
  std::atomic<int> reports = 0;
  CallOptions counting;
  counting.on_progress = [&](const ProgressReport&) { ++reports; };
  const CallResult slow =
      bridge.host->call("trigger-long-running-operation", {{"duration", 0.2}, {"steps", 2}}, counting);
  BOOST_TEST(!slow.is_error, slow.text());
  BOOST_TEST(reports > 0);
  BOOST_TEST(!bridge.host->call("trigger-elicitation-request", JsonObject()).is_error);
  BOOST_TEST(asked == 1);
  BOOST_TEST(!list_resources(*bridge.host).empty());
}
