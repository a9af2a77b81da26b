// A Redis for one test that speaks TLS on a port of this machine.
#pragma once

#include <memory>
#include <stdexcept>
#include <string>
#include <toolwire/tls.hpp>

#include "certificates.hpp"
#include "listening_socket.hpp"
#include "redis_server.hpp"
#include "scratch_folder.hpp"

namespace toolwire_test {

/// One thread. Throws if redis-server does not start.
class TlsRedis {
 public:
  /// `authority`: whose certificates clients have to show; null: they need none. `settings`: further lines.
  TlsRedis(const Certified& own, const Authority* authority, const std::string& settings = "") {
    folder_.file("own.pem", own.certificate);
    folder_.file("own.key", own.key);
    folder_.file("ca.pem", authority == nullptr ? own.certificate : authority->certificate());
    const std::string lines = "bind 127.0.0.1\ntls-cert-file " + (folder_ / "own.pem").string() + "\ntls-key-file " +
                              (folder_ / "own.key").string() + "\ntls-ca-cert-file " + (folder_ / "ca.pem").string() +
                              "\ntls-auth-clients " + (authority == nullptr ? "no" : "yes") + "\n" + settings;
    for (int attempts = 0; !server_; ++attempts) start(lines, attempts);
  }

  std::string address() const { return "127.0.0.1:" + std::to_string(port_); }
  int port() const { return port_; }
  void kill() { server_->kill(); }
  void start_again() { server_->start_again(); }
  void stop() { server_->stop(); }
  void go_on() { server_->go_on(); }

 private:
  /// Somebody else may take the port that was free a moment ago.
  void start(const std::string& lines, int attempts) try {
    port_ = ListeningSocket().port();
    server_ = std::make_unique<RedisServer>(lines + "tls-port " + std::to_string(port_) + "\n");
  } catch (const std::runtime_error&) {
    if (attempts == 5) throw;
  }

  ScratchFolder folder_;
  int port_ = 0;
  std::unique_ptr<RedisServer> server_;
};

/// Options for it, with what it and its clients trust.
inline toolwire::redis::Options tls_options(const std::string& address, const Authority& trusted,
                                            const Certified& own = {}) {
  toolwire::redis::Options options = redis_options(address);
  options.tls = toolwire::Tls{.ca = trusted.certificate(), .certificate = own.certificate, .key = own.key};
  return options;
}

}  // namespace toolwire_test
