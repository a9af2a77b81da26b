// Clients of a real nginx in front of two replicas: each request goes to the next of them, and none notices.
#define BOOST_TEST_MODULE cluster_nginx_test
#include <boost/test/unit_test.hpp>

#include <atomic>
#include <cstdint>
#include <exception>
#include <set>
#include <string>
#include <thread>
#include <toolwire/client.hpp>
#include <toolwire/http/connect.hpp>
#include <vector>

#include "failure_code.hpp"
#include "listening_socket.hpp"
#include "raw_http.hpp"
#include "replica.hpp"

using namespace toolwire;
using namespace toolwire_test;

namespace {

/// That nobody has now.
std::uint16_t free_port() { return static_cast<std::uint16_t>(ListeningSocket().port()); }

/// As bridge/cluster/README.md has it.
class Nginx {
 public:
  Nginx(const ClusterFixture& cluster, std::uint16_t port, const std::vector<const Replica*>& replicas)
      : process_(program(cluster, port, replicas)) {
    BOOST_REQUIRE(eventually([&] { return accepts(port); }));
  }
  ~Nginx() {
    process_.signal(SIGTERM);
    process_.wait();
  }
  Nginx(const Nginx&) = delete;
  Nginx& operator=(const Nginx&) = delete;

 private:
  static Program program(const ClusterFixture& cluster, std::uint16_t port,
                         const std::vector<const Replica*>& replicas) {
    std::string upstream;
    for (const Replica* const one : replicas) upstream += "server " + one->host() + ";";
    const std::string folder = cluster.folder.text();
    std::string text = "daemon off; master_process off; error_log " + folder + "/nginx.log; pid " + folder +
                       "/nginx.pid; events {} http { access_log off;";
    for (const char* const kind : {"client_body", "proxy", "fastcgi", "uwsgi", "scgi"})
      text += std::string(kind) + "_temp_path " + folder + "/" + kind + ";";
    text += "upstream replicas { " + upstream + " } server { listen 127.0.0.1:" + std::to_string(port) + R"(;
      location /mcp {
        proxy_pass http://replicas;
        proxy_http_version 1.1;
        proxy_set_header Host $http_host;
        proxy_set_header Connection "";
        proxy_buffering off;
        proxy_read_timeout 1h;
      } } })";
    const std::string file = cluster.folder.file("nginx.conf", text).string();
    return {.command = {"nginx", "-p", folder, "-e", folder + "/nginx.log", "-c", file},
            .environment = {{"PATH", "/usr/sbin:/usr/bin:/bin"}},
            .end_with_parent = true};
  }
  static bool accepts(std::uint16_t port) try {
    RawHttp probe(port);
    return true;
  } catch (const std::exception&) {
    return false;
  }

  ChildProcess process_;
};

struct BalancedFixture : ClusterFixture {
  std::uint16_t port = free_port();
  std::string host = "127.0.0.1:" + std::to_string(port);
  std::string url = "http://" + host + "/mcp";
  Replica one{*this, "one", host};
  Replica other{*this, "other", host};
  Nginx nginx{*this, port, {&one, &other}};
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
