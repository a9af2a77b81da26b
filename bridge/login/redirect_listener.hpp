// Where the browser comes back to after a login: a port of this machine that takes one answer (RFC 8252 §7.3).
#pragma once

#include <chrono>
#include <cstdint>
#include <memory>
#include <string>

namespace toolwire::bridge::login {

/// What the browser brought; of values that stand twice, none. A plain value.
struct RedirectAnswer {
  std::string code = {};
  std::string error = {};
  std::string error_description = {};
  std::string issuer = {};    ///< `iss` (RFC 9207).
  bool names_issuer = false;  ///< Whether `iss` is there at all.
};

/// Listens on 127.0.0.1 from its construction on. What comes to other paths, with another name in `Host` or with
/// another state is refused and forgotten; the first answer with the state is the only one.
class RedirectListener {
 public:
  /// `port`: 0 for a free one. Throws LoginError if it cannot be listened on.
  RedirectListener(std::uint16_t port, std::string state);
  RedirectListener(const RedirectListener&) = delete;
  RedirectListener& operator=(const RedirectListener&) = delete;
  ~RedirectListener();

  [[nodiscard]] std::uint16_t port() const;
  /// Throws LoginError when none has come in this time.
  RedirectAnswer wait(std::chrono::seconds time);

 private:
  class Parts;
  std::unique_ptr<Parts> parts_;
};

}  // namespace toolwire::bridge::login
