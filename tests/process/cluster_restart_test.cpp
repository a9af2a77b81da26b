// Three replicas behind a real nginx or HAProxy are restarted one after the other, as systemd does it, while clients
// call: their sockets listen all the time, and no call fails.
#define BOOST_TEST_MODULE cluster_restart_test
#include <boost/test/unit_test.hpp>

#include <array>
#include <atomic>
#include <cstdint>
#include <exception>
#include <mutex>
#include <string>
#include <thread>
#include <toolwire/client.hpp>
#include <toolwire/http/connect.hpp>
#include <vector>

#include "balancers.hpp"
#include "restarted_replica.hpp"

using namespace toolwire;
using namespace toolwire_test;

namespace {

constexpr std::size_t replica_count = 3;

struct RestartFixture : ClusterFixture {
  std::uint16_t port = free_port();
  std::string host = "127.0.0.1:" + std::to_string(port);
  std::array<RestartedReplica, replica_count> replicas;

  RestartFixture() {
    add_slow_tool();
    for (std::size_t i = 0; i < replica_count; ++i) start(i);
    for (const RestartedReplica& one : replicas) BOOST_TEST_REQUIRE(one.health() == 200);
  }
  /// Whenever a replica is told to end, it has calls under way.
  void add_slow_tool() const {
    folder.file("slow.json", R"({"protocol_version": "1.0",
      "scenario": {"name": "slow", "version": "1.0.0", "description": "Takes its time"},
      "tools": [{"name": "slow", "description": "Takes its time", "parameters": {"type": "object"},
                 "metadata": {"enabled_by_default": true, "requires_approval": false}}],
      "generated_at": "2026-01-15T10:30:00Z"})");
    folder.file("slow.bindings.json", R"({"bindings": {"slow": {"process": {"argv": ["sleep", "0.3"]}}}})");
    folder.file("mcp.json",
                to_json_text(JsonObject{
                    {"mcpServers", JsonObject{{"many", JsonObject{{"command", TOOLWIRE_BIN_DIR "/mcp_back_end"}}}}},
                    {"toolwire", JsonObject{{"redis", JsonObject{{"address", redis.address()}}},
                                            {"manifests", JsonArray{"slow.json"}}}}}));
  }
  void start(std::size_t which) { replicas.at(which).start(*this, "replica" + std::to_string(which), host); }
  std::vector<std::string> places() const {
    std::vector<std::string> all;
    for (const RestartedReplica& one : replicas) all.push_back(one.place());
    return all;
  }
};

/// Clients that call until they are told to end.
class Load {
 public:
  Load(const std::string& url, const std::vector<std::string>& revisions) {
    for (const std::string& revision : revisions) {
      for (const char* const tool : {"process", "slow"})
        clients_.emplace_back([this, url, revision, tool] { call(url, revision, tool); });
    }
  }
  ~Load() { end(); }
  Load(const Load&) = delete;
  Load& operator=(const Load&) = delete;

  void end() {
    ends_ = true;
    for (std::thread& one : clients_) {
      if (one.joinable()) one.join();
    }
  }
  std::size_t answered() const { return answered_; }
  std::string failures() const {
    const std::lock_guard lock(mutex_);
    return failures_;
  }

 private:
  void call(const std::string& url, const std::string& revision, const std::string& tool) try {
    Client client(http::connect(url), ClientOptions{.revision = revision});
    while (!ends_) {
      const CallResult result = client.call(tool);
      result.is_error ? failed(revision + ": " + result.text()) : void(++answered_);
    }
  } catch (const std::exception& error) {
    failed(revision + ": " + error.what());
  }
  void failed(const std::string& why) {
    const std::lock_guard lock(mutex_);
    failures_ += why + "\n";
  }

  std::atomic<bool> ends_{false};
  std::atomic<std::size_t> answered_{0};
  mutable std::mutex mutex_;
  std::string failures_;
  std::vector<std::thread> clients_;
};

using MakeBalancer = Program (*)(const ClusterFixture&, std::uint16_t, const std::vector<std::string>&);

void restart_all(RestartFixture& cluster, MakeBalancer make) {
  const Balancer balancer(make(cluster, cluster.port, cluster.places()), cluster.port);
  Load load("http://" + cluster.host + "/mcp", {"2025-06-18", "2025-11-25", "2026-07-28"});
  for (std::size_t i = 0; i < replica_count; ++i) {
    const std::size_t before = load.answered();
    BOOST_TEST(eventually([&] { return load.answered() >= before + 50 || !load.failures().empty(); }));
    BOOST_TEST(cluster.replicas.at(i).end() == 0);
    cluster.start(i);
    BOOST_TEST(cluster.replicas.at(i).health() == 200);
  }
  load.end();
  BOOST_TEST(load.failures() == "");
  BOOST_TEST_MESSAGE(load.answered() << " calls answered while three replicas were restarted");
}

}  // namespace

BOOST_FIXTURE_TEST_CASE(no_call_through_nginx_fails_while_all_replicas_are_restarted_in_turn, RestartFixture) {
  restart_all(*this, nginx);
}

BOOST_FIXTURE_TEST_CASE(no_call_through_haproxy_fails_while_all_replicas_are_restarted_in_turn, RestartFixture) {
  restart_all(*this, haproxy);
}
