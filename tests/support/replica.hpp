// A replica of toolwire-cluster: a process that serves over HTTP, with tools of a server of its own and a Redis that
// all replicas share.
#pragma once

#include <boost/test/unit_test.hpp>

#include <csignal>
#include <cstdint>
#include <filesystem>
#include <string>
#include <toolwire/child_process.hpp>
#include <toolwire/json.hpp>
#include <vector>

#include "file_content.hpp"
#include "process_bench.hpp"
#include "redis_server.hpp"
#include "scratch_folder.hpp"

namespace toolwire_test {

inline const std::string cluster_program = TOOLWIRE_BIN_DIR "/toolwire-cluster";

/// What is the same for all replicas.
struct ClusterFixture {
  RedisServer redis{"appendonly no\n"};
  ScratchFolder folder;

  ClusterFixture() { configure({{"address", redis.address()}}); }

  void configure(toolwire::JsonObject shared) const {
    toolwire::JsonObject own{{"redis", std::move(shared)},
                             {"tools", toolwire::JsonObject{{"echo", toolwire::JsonObject{{"rate_per_minute", 2}}}}}};
    const toolwire::JsonObject servers{{"many", toolwire::JsonObject{{"command", TOOLWIRE_BIN_DIR "/mcp_back_end"}}}};
    folder.file("mcp.json", toolwire::to_json_text(toolwire::JsonObject{{"mcpServers", servers}, {"toolwire", own}}));
  }
  std::string path(const std::string& name) const { return (folder / name).string(); }
  toolwire::Program program(std::vector<std::string> command, const std::string& name = "one") const {
    toolwire::Program made{.command = std::move(command)};
    made.environment["XDG_STATE_HOME"] = path(name);
    made.environment["TOOLWIRE_STATE_KEY"] = "a key for tests of many replicas";
    made.own_group = true;  // a group with stopped members may be sent SIGHUP
    made.end_with_parent = true;
    return made;
  }
};

class Replica {
 public:
  Replica(const ClusterFixture& cluster, const std::string& name, const std::string& host = "")
      : log_(new_file(cluster.path(name + ".log"))), process_(program(cluster, name, host)) {
    const std::string before = "listening on http://127.0.0.1:";
    BOOST_REQUIRE(eventually([&] { return content_of(log_).find(before) != std::string::npos; }));
    const std::string log = content_of(log_);
    port_ = static_cast<std::uint16_t>(std::stoi(log.substr(log.find(before) + before.size())));
  }
  ~Replica() { process_.signal(SIGTERM); }
  Replica(const Replica&) = delete;
  Replica& operator=(const Replica&) = delete;

  std::uint16_t port() const { return port_; }
  std::string host() const { return "127.0.0.1:" + std::to_string(port_); }
  std::string url() const { return "http://" + host() + "/mcp"; }
  void kill() {
    process_.signal(SIGKILL);
    process_.wait();
  }
  void stop() { process_.signal(SIGSTOP); }
  void go_on() { process_.signal(SIGCONT); }

 private:
  /// Without what one of the same name has written before.
  static std::string new_file(std::string path) {
    std::filesystem::remove(path);
    return path;
  }
  static toolwire::Program program(const ClusterFixture& cluster, const std::string& name, const std::string& host) {
    std::vector<std::string> command{cluster_program,          "serve", cluster.path("mcp.json"),   "--listen",
                                     "http://127.0.0.1:0/mcp", "--log", cluster.path(name + ".log")};
    if (!host.empty()) command.insert(command.end(), {"--host", host});
    return cluster.program(std::move(command), name);
  }

  const std::string log_;
  toolwire::ChildProcess process_;
  std::uint16_t port_ = 0;
};

}  // namespace toolwire_test
