// Somebody who listens where a Redis is expected and sends what a test says.
#pragma once

#include <netinet/in.h>
#include <poll.h>
#include <sys/socket.h>
#include <unistd.h>

#include <array>
#include <atomic>
#include <cerrno>
#include <functional>
#include <string>
#include <system_error>
#include <thread>
#include <toolwire/system/file_descriptor.hpp>
#include <toolwire/system/wake_event.hpp>
#include <utility>

namespace toolwire_test {

/// On a port of this machine, one connection at a time, on a thread of its own. A command is taken for whole when it is
/// read.
class ScriptedRedis {
 public:
  struct Said {
    std::string bytes = {};  ///< In answer to a command.
    bool leaves = false;     ///< Closes the connection after them.
  };
  /// `number`: of the command on its connection, from 0, which is the greeting.
  using Script = std::function<Said(int connection, int number, const std::string& command)>;

  explicit ScriptedRedis(Script script) : script_(std::move(script)) {
    sockaddr_in address{};
    address.sin_family = AF_INET;
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    socklen_t size = sizeof address;
    auto* const name = reinterpret_cast<sockaddr*>(&address);
    if (::bind(listener_.get(), name, size) != 0 || ::listen(listener_.get(), 16) != 0 ||
        ::getsockname(listener_.get(), name, &size) != 0)
      throw std::system_error(errno, std::system_category(), "a port of this machine");
    port_ = ntohs(address.sin_port);
    thread_ = std::thread([this] { run(); });
  }
  ScriptedRedis(const ScriptedRedis&) = delete;
  ScriptedRedis& operator=(const ScriptedRedis&) = delete;
  ~ScriptedRedis() {
    wake_.set();
    thread_.join();
  }

  std::string address() const { return "127.0.0.1:" + std::to_string(port_); }
  int connections() const { return connections_; }

  /// Answers a greeting, and everything else with `bytes`.
  static Script answering(const std::string& bytes, bool leaves = true) {
    return [=](int, int number, const std::string&) {
      return number == 0 ? Said{"+PONG\r\n", false} : Said{bytes, leaves};
    };
  }

 private:
  bool wait_for(int descriptor) const {
    std::array<pollfd, 2> waiting{{{descriptor, POLLIN, 0}, {wake_.descriptor(), POLLIN, 0}}};
    return ::poll(waiting.data(), waiting.size(), -1) > 0 && waiting[1].revents == 0;
  }

  void run() {
    while (wait_for(listener_.get())) {
      const toolwire::system::FileDescriptor peer(::accept4(listener_.get(), nullptr, nullptr, SOCK_CLOEXEC));
      if (peer.is_open()) serve(peer.get(), connections_++);
    }
  }

  void serve(int peer, int connection) const {
    std::array<char, 65'536> bytes{};
    for (int number = 0; wait_for(peer); ++number) {
      const ssize_t count = ::recv(peer, bytes.data(), bytes.size(), 0);
      if (count <= 0) return;
      const Said said = script_(connection, number, {bytes.data(), static_cast<std::size_t>(count)});
      for (std::size_t sent = 0; sent < said.bytes.size();) {
        const ssize_t some = ::send(peer, said.bytes.data() + sent, said.bytes.size() - sent, MSG_NOSIGNAL);
        if (some <= 0) return;
        sent += static_cast<std::size_t>(some);
      }
      if (said.leaves) return;
    }
  }

  const Script script_;
  const toolwire::system::FileDescriptor listener_{::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0)};
  toolwire::system::WakeEvent wake_;
  int port_ = 0;
  std::atomic<int> connections_{0};
  std::thread thread_;
};

}  // namespace toolwire_test
