// What stands between a client and a server of HTTP: an end of TLS with a certificate of its own, or a proxy. A program
// of its own (relay.py) until it is destroyed.
#pragma once

#include <array>
#include <cstdint>
#include <stdexcept>
#include <string>
#include <toolwire/child_process.hpp>
#include <utility>
#include <vector>

#include "program_run.hpp"
#include "scratch_folder.hpp"

namespace toolwire_test {

/// A certificate that nobody has signed but itself, for this name and 127.0.0.1, and its key.
class Certificate {
 public:
  explicit Certificate(const std::string& name) {
    const auto made =
        run_program({.command = {"openssl", "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1",
                                 "-nodes", "-days", "2", "-subj", "/CN=" + name, "-addext",
                                 "subjectAltName=DNS:" + name + ",IP:127.0.0.1", "-keyout", key(), "-out", file()}});
    if (made.status != 0) throw std::runtime_error("openssl makes no certificate: " + made.errors);
  }
  std::string file() const { return (folder_ / "certificate.pem").string(); }
  std::string key() const { return (folder_ / "key.pem").string(); }

 private:
  ScratchFolder folder_;
};

/// One thread.
class Relay {
 public:
  static Relay tls(std::uint16_t behind, const Certificate& certificate) {
    return Relay({"tls", std::to_string(behind), certificate.file(), certificate.key()});
  }
  Relay(const Relay&) = delete;
  Relay& operator=(const Relay&) = delete;
  ~Relay() {  // it would not end with its input
    process_.kill();
    process_.wait();
  }
  static Relay proxy(std::uint16_t behind) { return Relay({"proxy", std::to_string(behind)}); }

  std::uint16_t port() const { return port_; }
  std::string host() const { return "127.0.0.1:" + std::to_string(port_); }
  /// The next first line of a request that a proxy was asked.
  std::string line() {
    while (said_.find('\n') == std::string::npos) {
      std::array<char, 4096> bytes{};
      const auto count = process_.transport().read(bytes.data(), bytes.size());
      if (count <= 0) throw std::runtime_error("relay.py has ended: " + process_.error_tail());
      said_.append(bytes.data(), static_cast<std::size_t>(count));
    }
    const std::string line = said_.substr(0, said_.find('\n'));
    said_.erase(0, line.size() + 1);
    return line;
  }

 private:
  explicit Relay(std::vector<std::string> how) : process_(program(std::move(how))) {
    port_ = static_cast<std::uint16_t>(std::stoi(line()));
  }
  static toolwire::Program program(std::vector<std::string> how) {
    toolwire::Program relay{.command = {"/usr/bin/python3", TOOLWIRE_SOURCE_DIR "/tests/support/relay.py"},
                            .end_with_parent = true};
    relay.command.insert(relay.command.end(), how.begin(), how.end());
    return relay;
  }

  toolwire::ChildProcess process_;
  std::string said_;
  std::uint16_t port_ = 0;
};

}  // namespace toolwire_test
