// A NATS for one test: a process of its own on a port of loopback, that can be killed, stopped and started again.
#pragma once

#include <chrono>
#include <csignal>
#include <filesystem>
#include <stdexcept>
#include <string>
#include <toolwire/child_process.hpp>
#include <toolwire/json.hpp>
#include <toolwire/nats.hpp>
#include <utility>

#include "file_content.hpp"
#include "process_bench.hpp"
#include "scratch_folder.hpp"

namespace toolwire_test {

/// One thread. Throws if nats-server does not start.
class NatsServer {
 public:
  /// `settings`: further lines of its configuration.
  explicit NatsServer(std::string settings = "") : settings_(std::move(settings)), process_(start(-1)) { find_port(); }
  NatsServer(const NatsServer&) = delete;
  NatsServer& operator=(const NatsServer&) = delete;
  ~NatsServer() { kill(); }  // it would not end with its input

  std::string address() const { return "127.0.0.1:" + std::to_string(port_); }

  void kill() {
    process_.kill();
    process_.wait();
  }
  /// At the same port, perhaps with other settings.
  void start_again() {
    std::filesystem::remove_all(folder_ / "ports");
    process_ = start(port_);
    find_port();
  }
  void start_again(std::string settings) {
    settings_ = std::move(settings);
    start_again();
  }
  void stop() { process_.signal(SIGSTOP); }
  void go_on() { process_.signal(SIGCONT); }

 private:
  toolwire::ChildProcess start(int port) {
    std::filesystem::create_directory(folder_ / "ports");
    folder_.file("nats.conf", "listen: 127.0.0.1:" + std::to_string(port) + "\nports_file_dir: \"" +
                                  (folder_ / "ports").string() + "\"\n" + settings_);
    return toolwire::ChildProcess({.command = {"nats-server", "-c", (folder_ / "nats.conf").string()},
                                   .errors = toolwire::Program::Errors::discard,
                                   .own_group = true,  // a group with stopped members may be sent SIGHUP
                                   .end_with_parent = true});
  }
  /// It writes its ports to a file once it listens.
  void find_port() {
    if (!eventually([&] { return read_port(); })) throw std::runtime_error("nats-server does not start");
  }
  bool read_port() {
    for (const auto& file : std::filesystem::directory_iterator(folder_ / "ports")) {
      const std::string text = content_of(file.path().string());
      const std::size_t colon = text.find("127.0.0.1:");
      if (colon == std::string::npos || text.find('}') == std::string::npos) continue;
      port_ = std::stoi(text.substr(colon + 10));
      return true;
    }
    return false;
  }

  ScratchFolder folder_;
  std::string settings_;
  int port_ = 0;
  toolwire::ChildProcess process_;
};

/// Options for a NATS at this address.
inline toolwire::nats::Options nats_options(std::string address) {
  toolwire::nats::Options options;
  options.address = std::move(address);
  options.key = "a key for tests only";
  return options;
}

}  // namespace toolwire_test
