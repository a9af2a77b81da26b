// A real nginx or HAProxy in front of replicas, as bridge/examples/cluster has them.
#pragma once

#include <boost/test/unit_test.hpp>

#include <csignal>
#include <cstdint>
#include <exception>
#include <string>
#include <toolwire/child_process.hpp>
#include <utility>
#include <vector>

#include "listening_socket.hpp"
#include "process_bench.hpp"
#include "raw_http.hpp"
#include "replica.hpp"

namespace toolwire_test {

/// That nobody has now.
inline std::uint16_t free_port() { return static_cast<std::uint16_t>(ListeningSocket().port()); }

inline std::string example_of_cluster(const std::string& file) {
  return content_of(TOOLWIRE_SOURCE_DIR "/bridge/examples/cluster/" + file);
}

/// The program of a balancer, once it lets clients in.
class Balancer {
 public:
  Balancer(const toolwire::Program& program, std::uint16_t port) : process_(program) {
    BOOST_TEST_REQUIRE(eventually([&] { return accepts(port); }));
  }
  ~Balancer() {
    process_.signal(SIGTERM);
    process_.wait();
  }
  void kill() {
    process_.signal(SIGKILL);
    process_.wait();
  }
  void stop() { process_.signal(SIGSTOP); }
  void go_on() { process_.signal(SIGCONT); }
  Balancer(const Balancer&) = delete;
  Balancer& operator=(const Balancer&) = delete;

 private:
  static bool accepts(std::uint16_t port) try {
    RawHttp probe(port);
    return true;
  } catch (const std::exception&) {
    return false;
  }

  toolwire::ChildProcess process_;
};

inline toolwire::Program balancer_program(std::vector<std::string> command) {
  return {.command = std::move(command), .environment = {{"PATH", "/usr/sbin:/usr/bin:/bin"}}, .end_with_parent = true};
}

/// At a port, with what the example says of requests. `replicas`: "HOST:PORT".
inline toolwire::Program nginx(const ClusterFixture& cluster, std::uint16_t port,
                               const std::vector<std::string>& replicas) {
  const std::string example = example_of_cluster("nginx.conf");
  const std::size_t begin = example.find("location /mcp {"), bounds = example.find("worker_rlimit_nofile");
  BOOST_TEST_REQUIRE(begin != std::string::npos);
  BOOST_TEST_REQUIRE(bounds != std::string::npos);
  const std::string location = example.substr(begin, example.find('}', begin) + 1 - begin);
  const std::string folder = cluster.folder.text();
  std::string text = "daemon off; master_process off; error_log " + folder + "/nginx.log; pid " + folder +
                     "/nginx.pid; " + example.substr(bounds, example.find("http {") - bounds) +
                     " http { access_log off;";
  for (const char* const kind : {"client_body", "proxy", "fastcgi", "uwsgi", "scgi"})
    text += std::string(kind) + "_temp_path " + folder + "/" + kind + ";";
  text += "upstream replicas {";
  for (const std::string& one : replicas) text += "server " + one + ";";
  text += "} server { listen 127.0.0.1:" + std::to_string(port) + "; " + location + "} }";
  const std::string file = cluster.folder.file("nginx.conf", text).string();
  return balancer_program({"nginx", "-p", folder, "-e", folder + "/nginx.log", "-c", file});
}

/// The example, with other places: as many replicas as there are in it.
inline toolwire::Program haproxy(const ClusterFixture& cluster, std::uint16_t port,
                                 const std::vector<std::string>& replicas) {
  std::string text = example_of_cluster("haproxy.cfg");
  const auto put = [&text](const std::string& place, const std::string& in_place_of) {
    const std::size_t at = text.find(in_place_of);
    BOOST_TEST_REQUIRE(at != std::string::npos);
    text.replace(at, in_place_of.size(), place);
  };
  put("127.0.0.1:" + std::to_string(port), "127.0.0.1:8080");
  for (std::size_t i = 0; i < replicas.size(); ++i) put(replicas[i], "127.0.0.1:" + std::to_string(8'081 + i));
  return balancer_program({"haproxy", "-db", "-f", cluster.folder.file("haproxy.cfg", text).string()});
}

}  // namespace toolwire_test
