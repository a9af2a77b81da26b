// Clients of a real nginx in front of two replicas: each request goes to the next of them, and none notices.
#define BOOST_TEST_MODULE cluster_nginx_test
#include <boost/test/unit_test.hpp>

#include <atomic>
#include <cstdint>
#include <memory>
#include <set>
#include <string>
#include <thread>
#include <toolwire/client.hpp>
#include <toolwire/http/connect.hpp>
#include <vector>

#include "balancers.hpp"
#include "failure_code.hpp"
#include "raw_http.hpp"
#include "replica.hpp"

using namespace toolwire;
using namespace toolwire_test;

namespace {

struct BalancedFixture : ClusterFixture {
  std::uint16_t port = free_port();
  std::string host = "127.0.0.1:" + std::to_string(port);
  std::string url = "http://" + host + "/mcp";
  Replica one{*this, "one", host};
  Replica other{*this, "other", host};
  Balancer balancer{nginx(*this, port, {one.host(), other.host()}), port};
};

const std::vector<std::string> revisions{"2025-03-26", "2025-06-18", "2025-11-25", "2026-07-28"};

}  // namespace

BOOST_FIXTURE_TEST_CASE(every_request_may_go_to_another_replica_in_every_revision, BalancedFixture) {
  for (const std::string& revision : revisions) {
    BOOST_TEST_CONTEXT(revision) {
      Client client(http::connect(url), ClientOptions{.revision = revision});
      std::set<std::string> processes;
      for (int i = 0; i < 10; ++i) processes.insert(client.call("process").text());
      BOOST_TEST(processes.size() == 2U);
      BOOST_TEST(client.list_tools().size() > 10U);
      BOOST_TEST(read_resource(client, "note://one").size() == 1U);
    }
  }
}

BOOST_FIXTURE_TEST_CASE(many_clients_at_once_are_counted_together, BalancedFixture) {
  std::atomic<int> allowed{0};
  std::atomic<int> refused{0};
  std::vector<std::thread> clients;
  for (int i = 0; i < 6; ++i) {
    clients.emplace_back([&, revision = revisions[static_cast<std::size_t>(i) % revisions.size()]] {
      Client client(http::connect(url), ClientOptions{.revision = revision});
      for (int call = 0; call < 5; ++call) {
        const auto said = client.call("echo", {{"text", "x"}});
        allowed += said.text() == "x" ? 1 : 0;
        refused += said.is_error ? 1 : 0;
      }
    });
  }
  for (std::thread& client : clients) client.join();
  BOOST_TEST(allowed == 2);
  BOOST_TEST(refused == 28);
}

BOOST_FIXTURE_TEST_CASE(a_replica_that_dies_is_missed_by_nobody_who_asks_after_that, BalancedFixture) {
  Client client(http::connect(url), ClientOptions{.revision = "2025-11-25"});
  BOOST_TEST(!client.call("process").text().empty());
  one.kill();
  for (int i = 0; i < 10; ++i) BOOST_TEST(!client.call("process").is_error);
}

BOOST_FIXTURE_TEST_CASE(three_hundred_streams_wait_behind_nginx, BalancedFixture) {
  const std::string body =
      R"({"jsonrpc":"2.0","id":1,"method":"subscriptions/listen","params":{"notifications":{"toolsListChanged":true},)"
      R"("_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28","io.modelcontextprotocol/clientCapabilities":{}}}})";
  const std::string request =
      "POST /mcp HTTP/1.1\r\nHost: " + host +
      "\r\nContent-Type: application/json\r\nAccept: application/json, text/event-stream\r\n"
      "MCP-Protocol-Version: 2026-07-28\r\nMcp-Method: subscriptions/listen\r\nContent-Length: " +
      std::to_string(body.size()) + "\r\n\r\n" + body;
  std::vector<std::unique_ptr<RawHttp>> streams;
  for (int i = 0; i < 300; ++i) {
    streams.push_back(std::make_unique<RawHttp>(port));
    BOOST_TEST_REQUIRE(streams.back()->send(request));
    BOOST_TEST_REQUIRE(streams.back()->take_until("acknowledged").has_value(), i << " streams, and no more");
  }
}
