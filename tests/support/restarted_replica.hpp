// A replica of toolwire-cluster whose socket listens all the time, as that of a unit of systemd does.
#pragma once

#include <csignal>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <toolwire/child_process.hpp>

#include "handed_program.hpp"
#include "raw_http.hpp"
#include "replica.hpp"

namespace toolwire_test {

/// One thread.
class RestartedReplica {
 public:
  void start(const ClusterFixture& cluster, const std::string& name, const std::string& host) {
    process_.reset();
    const toolwire::Program program =
        cluster.program({cluster_program, "serve", cluster.path("mcp.json"), "--listen", "http://" + place() + "/mcp",
                         "--host", host, "--log", cluster.path(name + ".log")},
                        name);
    process_ = std::make_unique<HandedProgram>(socket_, program);
  }
  int end() {
    process_->signal(SIGTERM);
    return process_->wait();
  }
  void kill() {
    process_->signal(SIGKILL);
    process_->wait();
  }
  void stop() const { process_->signal(SIGSTOP); }
  void go_on() const { process_->signal(SIGCONT); }
  std::string place() const { return "127.0.0.1:" + std::to_string(socket_.port()); }
  /// Once it serves: who asks before that waits.
  int health() const {
    RawHttp connection(static_cast<std::uint16_t>(socket_.port()));
    const bool is_sent = connection.send("GET /health HTTP/1.1\r\nHost: x\r\n\r\n");
    const auto answer = is_sent ? connection.answer() : std::nullopt;
    return answer ? answer->status : 0;
  }

 private:
  const ListeningSocket socket_;
  std::unique_ptr<HandedProgram> process_;
};

}  // namespace toolwire_test
